const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "40 ms", "1.2 s", "12 s", "4 min", "3 h 12 min", "2 days 5 h". */
export function durationOf(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * second) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < minute) return `${Math.floor(ms / second)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return both(ms, hour, "h", minute, "min");
  return both(ms, day, ms < 2 * day ? "day" : "days", hour, "h");
}

function both(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  const whole = `${Math.floor(ms / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}
