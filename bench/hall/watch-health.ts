import { setTimeout as pause } from "node:timers/promises";
import { timed } from "../timed.ts";

const everyMs = 20;

/** Asks the hall whether it is well until it is ended, and answers how long each answer took. */
export function watchHealth(url: string): { end(): Promise<number[]> } {
  const times: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      times.push(await askOnce(url));
      await pause(everyMs);
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return times;
    },
  };
}

/** The same, so often. */
export async function askedHealth(url: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await askOnce(url));
    await pause(everyMs);
  }
  return times;
}

const askOnce = (url: string): Promise<number> => timed(async () => (await fetch(`${url}/api/health`)).text());
