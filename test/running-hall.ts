import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { createLayout } from "../src/adapters/files/layout.ts";
import { createMemberRecords } from "../src/adapters/files/members/member-records.ts";
import { endOrphans } from "../src/adapters/members/end-orphans.ts";
import { createProcessFamilies } from "../src/adapters/members/process-families.ts";
import { lastSignal } from "./counted-process.ts";
import { spawnHall } from "./hall-process.ts";
import type { HallProcess, HallRequest } from "./hall-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type { HallProcess } from "./hall-process.ts";

/** `guild-hall serve` as a process of its own, with an empty home; killed when the test ends. */
export async function startHallProcess({ home, ...request }: HallRequest & { home?: string } = {}): Promise<HallProcess> {
  const hall = await spawnHall(home ?? join(await temporaryFolder(), "home"), request);
  onTestFinished(() => killWithMembers(hall));
  return hall;
}

/** `prepare` puts into the home what the hall is to find there. `home` is that of a shared hall which has ended. */
type SharedHallRequest = HallRequest & { prepare?: (home: string) => Promise<unknown>; home?: string };

/** One hall for all tests of a file, for those that only look. Call it in `beforeAll`; it is killed after the last test. */
export async function startSharedHall({ prepare, home, ...request }: SharedHallRequest = {}): Promise<HallProcess> {
  const folder = home === undefined ? await mkdtemp(join(tmpdir(), "guild-hall-test-")) : dirname(home);
  await prepare?.(join(folder, "home"));
  const hall = await spawnHall(join(folder, "home"), request);
  shared.push({ hall, folder });
  return hall;
}

const shared: { hall: HallProcess; folder: string }[] = [];

/** Those of the file that ends. */
export async function endSharedHalls(): Promise<void> {
  for (const { hall, folder } of shared.splice(0)) {
    await killWithMembers(hall);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Hooks count only where they are registered while the file is collected, which is when it imports this module. */
afterAll(endSharedHalls);

/** A hall that is killed leaves its members to the next one, and here none comes. */
async function killWithMembers(hall: HallProcess): Promise<void> {
  await hall.end(lastSignal());
  const onProblem = (error: unknown) => {
    throw error;
  };
  await endOrphans(createMemberRecords({ layout: createLayout(hall.home), onProblem }), createProcessFamilies());
}
