import { setTimeout as pause } from "node:timers/promises";
import type { BenchRow } from "../bench-row.ts";
import { amount, counted, measured } from "../measured.ts";
import type { HallMemory, LoadStage } from "./load-stage.ts";
import { heardByAll, leaveAll, openAlike, openReader, RefusedStream } from "./readers.ts";
import type { Reader } from "./readers.ts";

const patience = { tries: 50, restMs: 100 };
const growth = 1.05;
const restMs = 35_000;

/** Browsers that come and go again and again leave nothing behind: no memory, and no place taken. */
export async function benchReturning(stage: LoadStage, browsers: number, rounds: number, places: number): Promise<BenchRow[]> {
  await comeAndGo(stage, 2 * browsers);
  const first = await atRest(stage);
  for (let round = 1; round < rounds; round += 1) await comeAndGo(stage, 2 * browsers);
  const last = await atRest(stage);
  return [
    measured({
      name: `memory in use after ${rounds} times ${2 * browsers} streams came and went`,
      ours: last.live,
      unit: "MiB",
      detail: `resident ${amount(last.resident, "MiB")}`,
      baseline: { value: first.live, of: "after the first time" },
      budget: { times: growth },
    }),
    counted("places for streams are free when all have left", await freePlaces(stage.hall.url, places), places),
  ];
}

async function comeAndGo({ hall }: LoadStage, count: number): Promise<void> {
  const readers = await openAlike(count, `${hall.url}/api/events`);
  const { id } = await hall.client.sessions.create({ name: "News" });
  await heardByAll(readers, id);
  await leaveAll(readers);
}

/** What streams held is given back some seconds after they ended, all at once. */
async function atRest({ memory }: LoadStage): Promise<HallMemory> {
  await pause(restMs);
  return memory();
}

/** A hall learns a moment later that a reader left. As many as it takes are let in then, and not one more. */
async function freePlaces(url: string, places: number): Promise<number> {
  const readers: Reader[] = [];
  for (let tries = 0; tries < patience.tries && readers.length < places; tries += 1) {
    if (tries > 0) await pause(patience.restMs);
    readers.push(...(await openAsMany(url, places + 1 - readers.length)));
  }
  await leaveAll(readers);
  return readers.length;
}

/** One after the other, up to the first that is refused. */
async function openAsMany(url: string, count: number): Promise<Reader[]> {
  const readers: Reader[] = [];
  try {
    while (readers.length < count) readers.push(await openReader({ url: `${url}/api/events` }));
  } catch (error) {
    if (!(error instanceof RefusedStream) || error.status !== 429) throw error;
  }
  return readers;
}
