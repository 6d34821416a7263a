import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sweepTemporaries } from "./durable-write.ts";
import type { Layout } from "./layout.ts";

export type SweepOptions = {
  layout: Layout;
  now: number;
  /** Sessions in which a crash may have cut off a write: those that were worked on last. */
  recentSessions: readonly string[];
};

const dayMs = 24 * 60 * 60 * 1000;
/** Records of queries that ended are in their sessions' histories; until then a queue may still ask for them. */
const endedForMs = dayMs;
/** What agents of earlier days wrote beside their transcripts is of no use to anybody. */
const scratchForMs = 7 * dayMs;
const backupsKept = 5;

/** Removes what nobody will ask for again and what otherwise would only grow. Answers how many files and folders that were. */
export async function sweepLeftovers({ layout, now, recentSessions }: SweepOptions): Promise<number> {
  const { config } = layout.claude;
  const scratch = ["todos", "shell-snapshots", "session-env", "file-history", "debug", "telemetry", "statsig"];
  const swept = [
    await removeOlder(layout.engine.ended, now - endedForMs),
    ...(await inTurn(scratch, (name) => removeOlder(join(config, name), now - scratchForMs))),
    await keepNewest(join(config, "backups"), backupsKept),
    ...(await inTurn(
      [...recentSessions.map((id) => join(layout.sessions, id)), layout.agentStates, layout.memberStates],
      sweepTemporaries,
    )),
  ];
  return swept.reduce((sum, each) => sum + each, 0);
}

async function removeOlder(folder: string, before: number): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const changed = (await stat(path).catch(() => null))?.mtimeMs ?? Infinity;
    if (changed >= before) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** Names end in the time they were made at. */
async function keepNewest(folder: string, count: number): Promise<number> {
  const older = (await namesIn(folder)).toSorted().slice(0, -count);
  for (const name of older) await rm(join(folder, name), { recursive: true, force: true });
  return older.length;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
