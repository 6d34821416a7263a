import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listening, spawnResearcher } from "./researcher-process.ts";
import type { Researcher, SpawnedResearcher } from "./researcher-process.ts";

const toEnd: (() => Promise<unknown>)[] = [];

/** Those of the file that ends, which `test/server/setup.ts` tells. */
export async function endResearchers(): Promise<void> {
  for (const end of toEnd.splice(0).toReversed()) await end();
}

/** A folder for a researcher, gone after the last test of the file. */
export async function researcherFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-test-")));
  toEnd.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The process alone, for one that does not listen yet; it ends with the last test of the file at the latest. */
export async function beginResearcher(
  folder: string,
  modelUrl: string,
  env: Record<string, string> = {},
  launcher: string[] = [],
): Promise<SpawnedResearcher> {
  const spawned = await spawnResearcher(folder, modelUrl, env, launcher);
  toEnd.push(async () => {
    spawned.child.kill("SIGKILL");
    await spawned.exited;
  });
  return spawned;
}

export const startResearcher = async (folder: string, modelUrl: string, env: Record<string, string> = {}): Promise<Researcher> =>
  listening(folder, await beginResearcher(folder, modelUrl, env));
