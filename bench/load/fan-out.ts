import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { HallClient } from "../../src/client/hall-client.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { heardByAll, leaveAll, openAlike } from "./readers.ts";
import type { Reader } from "./readers.ts";

/** By event: from telling it until the last reader had it, and from the first reader to the last. */
export type FanOut = { wholeMs: number[]; spreadMs: number[] };

/** Renames sessions, and times how the news of each reaches everybody who reads the hall's stream. */
export function fanOutOfHall({ sessions }: HallClient, readers: readonly Reader[], ids: readonly SessionId[]): Promise<FanOut> {
  return fanOut(readers, ids, (id) => sessions.change(id, { name: `Renamed ${performance.now()}` }));
}

/** The same through a bare server in a process of its own. */
export async function fanOutOfBareServer(count: number, words: readonly string[]): Promise<FanOut> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-server.ts")], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer]; // as Node documents "data"
    const url = `http://127.0.0.1:${Number(port.toString())}`;
    const readers = await openAlike(count, url);
    const found = await fanOut(readers, words, (body) => fetch(url, { method: "POST", body }));
    await leaveAll(readers);
    return found;
  } finally {
    child.kill("SIGKILL");
  }
}

async function fanOut<Words extends string>(
  readers: readonly Reader[],
  all: readonly Words[],
  tell: (words: Words) => Promise<unknown>,
): Promise<FanOut> {
  const found: FanOut = { wholeMs: [], spreadMs: [] };
  for (const words of all) {
    const first = Promise.race(readers.map((reader) => reader.heard(words)));
    const last = heardByAll(readers, words);
    const began = performance.now();
    await tell(words);
    found.wholeMs.push((await last) - began);
    found.spreadMs.push((await last) - (await first));
  }
  return found;
}
