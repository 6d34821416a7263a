import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { nodeEnvironment } from "./counted-process.ts";
import { spawnHall } from "./hall-process.ts";
import type { HallProcess } from "./hall-process.ts";

/** Before the first test file of a run. */
export const setup = (): Promise<void> =>
  fillCompileCache({ cache: nodeEnvironment()["NODE_COMPILE_CACHE"], pages: join(import.meta.dirname, "../src/web/.next/BUILD_ID") });

/**
 * A process writes what it compiled when it ends by itself, and most halls of the suites are killed. So the first run on
 * a machine starts one that is not, with its members. What changes later is compiled as ever. Where the pages are not built no hall starts;
 * suites that need none of it run all the same.
 */
export async function fillCompileCache({ cache, pages }: { cache: string | undefined; pages: string }): Promise<void> {
  if (cache === undefined || existsSync(cache) || !existsSync(pages)) return;
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-test-"));
  const hall = await spawnHall(join(folder, "home"));
  await Promise.all([fetch(hall.url), membersAreUp(hall)]);
  await hall.end("SIGTERM");
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Or cannot be: then suites say why. */
async function membersAreUp({ client }: HallProcess): Promise<void> {
  const patienceMs = 20_000;
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(100)) {
    const { members } = await client.roster.list();
    if (members.every(({ status }) => status === "connected")) return;
  }
}
