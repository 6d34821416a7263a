import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { lastSignal } from "./counted-process.ts";
import { spawnHall } from "./hall-process.ts";
import type { HallProcess } from "./hall-process.ts";
import type { HallRequest } from "./hall-request.ts";
import { openHostedHall } from "./hosted-hall.ts";
import type { HostedHall } from "./hosted-hall.ts";
import { endMembersOf } from "./members-left-behind.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type { HallProcess } from "./hall-process.ts";
export type { Hall } from "./hall-request.ts";
export type { HostedHall } from "./hosted-hall.ts";

/** `guild-hall serve` with an empty home, or with that of a hall which has ended; closed when the test ends. */
export async function startHall({ home, ...request }: HallRequest & { home?: string } = {}): Promise<HostedHall> {
  const hall = await openHostedHall(home ?? join(await temporaryFolder(), "home"), request);
  onTestFinished(() => hall.close());
  return hall;
}

/** The same as a process of its own, for tests that kill it, or that look at it; killed when the test ends. */
export async function startHallProcess({ home, ...request }: HallRequest & { home?: string } = {}): Promise<HallProcess> {
  const hall = await spawnHall(home ?? join(await temporaryFolder(), "home"), request);
  onTestFinished(() => killWithMembers(hall));
  return hall;
}

/** `prepare` puts into the home what the hall is to find there. `home` is that of a shared hall which has ended. */
type SharedHallRequest = HallRequest & { prepare?: (home: string) => Promise<unknown>; home?: string };

/** One hall for all tests of a file. Call it in `beforeAll`; it is closed after the last test. */
export async function startSharedHall(request: SharedHallRequest = {}): Promise<HostedHall> {
  const { home, folder } = await homeFor(request);
  const hall = await openHostedHall(home, request);
  shared.push({ end: hall.close, folder });
  return hall;
}

/** The same as a process of its own, for tests that kill it, or that look at it. */
export async function startSharedHallProcess(request: SharedHallRequest = {}): Promise<HallProcess> {
  const { home, folder } = await homeFor(request);
  const hall = await spawnHall(home, request);
  shared.push({ end: () => killWithMembers(hall), folder });
  return hall;
}

async function homeFor({ home, prepare }: SharedHallRequest): Promise<{ home: string; folder: string }> {
  const folder = home === undefined ? await mkdtemp(join(tmpdir(), "guild-hall-test-")) : dirname(home);
  await prepare?.(join(folder, "home"));
  return { home: join(folder, "home"), folder };
}

const shared: { end: () => Promise<void>; folder: string }[] = [];

/** Those of the file that ends. All are over before a folder goes, because the last of them may have the home of the first. */
export async function endSharedHalls(): Promise<void> {
  const ending = shared.splice(0);
  const ends = await Promise.allSettled(ending.map(({ end }) => end()));
  for (const { folder } of ending) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Hooks count only where they are registered while the file is collected, which is when it imports this module. */
afterAll(endSharedHalls);

async function killWithMembers(hall: HallProcess): Promise<void> {
  await hall.end(lastSignal());
  await endMembersOf(hall.home);
}
