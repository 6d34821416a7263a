import { setTimeout as pause } from "node:timers/promises";

/** Throws after a minute. */
export async function until<Found>(look: () => Promise<Found>): Promise<Exclude<Found, false | null | undefined>> {
  for (let looks = 0; looks < 1200; looks += 1, await pause(50)) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found as Exclude<Found, false | null | undefined>; // just checked
  }
  throw new Error("A minute is over.");
}
