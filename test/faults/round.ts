import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kind } from "./kinds.ts";
import { killIfThere, processesIn } from "./processes.ts";
import { createRandom } from "./random.ts";
import type { Round } from "./strike.ts";

type PlayOptions = Pick<Round, "isShort"> & Partial<Pick<Round, "measured">>;

/** One round of a kind: the same seed breaks the same things again. Answers what did not survive, one sentence each. */
export async function playRound(
  { strike }: Pick<Kind, "strike">,
  seed: number,
  { isShort, measured = () => undefined }: PlayOptions,
): Promise<string[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `${prefix}-`)));
  try {
    const round = { home: join(folder, "home"), random: createRandom(seed), isShort, measured };
    const found = await strike(round).catch((error: unknown) => [`It broke off: ${String(error)}`]);
    const left = await endAllIn(folder);
    return [...found, ...left.map((pid) => `Process ${pid} was left behind.`)];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** For whoever breaks off in the middle of a round: what this process began ends with it. */
export async function endRounds(): Promise<void> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(`${prefix}-`)).map((name) => join(tmpdir(), name));
  for (const folder of folders) {
    await endAllIn(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Nobody else's, should two play at the same time. */
const prefix = `guild-hall-faults-${process.pid}`;

async function endAllIn(folder: string): Promise<number[]> {
  const left = await processesIn(folder);
  for (const pid of left) killIfThere(pid);
  return left;
}
