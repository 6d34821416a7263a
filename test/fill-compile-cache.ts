import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeEnvironment } from "./counted-process.ts";
import { spawnHall } from "./hall-process.ts";

/** Before the first test file of a run. */
export const setup = (): Promise<void> =>
  fillCompileCache({ cache: nodeEnvironment()["NODE_COMPILE_CACHE"], pages: join(import.meta.dirname, "../src/web/.next/BUILD_ID") });

/**
 * A process writes what it compiled when it ends by itself, and most halls of the suites are killed. So the first run on
 * a machine starts one that is not. What changes later is compiled as ever. Where the pages are not built no hall starts;
 * suites that need none of it run all the same.
 */
export async function fillCompileCache({ cache, pages }: { cache: string | undefined; pages: string }): Promise<void> {
  if (cache === undefined || existsSync(cache) || !existsSync(pages)) return;
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-test-"));
  const hall = await spawnHall(join(folder, "home"));
  await fetch(hall.url);
  await hall.end("SIGTERM");
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
