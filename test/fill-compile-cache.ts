import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnHall } from "./hall-process.ts";

/**
 * A process writes what it compiled when it ends by itself, and most halls of the suites are killed. So the first run on
 * a machine starts one that is not. What changes later is compiled as ever.
 */
export async function setup(): Promise<void> {
  const cache = process.env["NODE_COMPILE_CACHE"];
  if (cache === undefined || existsSync(cache)) return;
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-test-"));
  const hall = await spawnHall(join(folder, "home"));
  await fetch(hall.url);
  await hall.end("SIGTERM");
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
