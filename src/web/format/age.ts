const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "now", "4 min", "2 h", "yesterday", "3 days", then the date. */
export function ageOf(at: string, now: number): string {
  const age = now - Date.parse(at);
  if (age < minute) return "now";
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  if (age < 2 * day) return "yesterday";
  if (age < 30 * day) return `${Math.floor(age / day)} days`;
  return at.slice(0, 10);
}

export const exactTime = (at: string): string => new Date(at).toLocaleString("en-GB", { dateStyle: "full", timeStyle: "medium" });

export const dayAndTime = (at: string): string =>
  new Date(at).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

export const clockTime = (at: string): string => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

/** The time of day, and before it the day where that is not today's: "11:09", "10 Nov, 11:09", "10 Nov 2025, 11:09". */
export function momentOf(at: string, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return clockTime(at);
  const isThisYear = then.getFullYear() === today.getFullYear();
  const day = then.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) });
  return `${day}, ${clockTime(at)}`;
}
