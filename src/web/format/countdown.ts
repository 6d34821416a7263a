import { durationOf } from "./duration.ts";

/** The time left until a moment: "40 s", "12 min 30 s", "3 h 12 min". Null when it has come. */
export function countdownOf(until: string, now: number): string | null {
  const seconds = Math.ceil((Date.parse(until) - now) / 1000);
  if (seconds <= 0) return null;
  if (seconds < 60) return `${seconds} s`;
  if (seconds >= 3600) return durationOf(seconds * 1000);
  const minutes = `${Math.floor(seconds / 60)} min`;
  return seconds % 60 === 0 ? minutes : `${minutes} ${seconds % 60} s`;
}
