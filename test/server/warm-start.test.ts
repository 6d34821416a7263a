import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { startHallProcess } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";

it("has an agent wait for the next message of a session that somebody has open, and lets it go when they leave", async () => {
  const hall = await startHallProcess({ bundled: false });
  const { id } = await hall.client.sessions.create({ name: "Open" });
  const leaving = new AbortController();
  const looking = look(hall, { open: id, signal: leaving.signal });
  const [waiting] = await waitForAgents(hall, 1);

  await hall.client.sessions.send(id, "long answer");
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "text") break;
  const serving = agentsOf(hall);
  await hall.client.sessions.stop(id);
  const [next] = await waitForAgents(hall, 1);
  leaving.abort();
  await looking;

  expect(serving).toEqual([waiting]);
  expect(next).not.toBe(waiting);
  await waitForAgents(hall, 0);
});

async function look(hall: HallProcess, options: Parameters<HallProcess["client"]["events"]>[0]): Promise<void> {
  const read = async () => {
    for await (const _event of hall.client.events(options));
  };
  await read().catch((error: unknown) => {
    if (options?.signal?.aborted !== true) throw error;
  });
}

async function waitForAgents(hall: HallProcess, count: number): Promise<number[]> {
  await expect.poll(() => agentsOf(hall), { timeout: 10_000 }).toHaveLength(count);
  return agentsOf(hall);
}

/** Process ids of the SDK's children of this hall. One that ended and waits to be noticed is none. */
function agentsOf(hall: HallProcess): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((found) => Number(found?.[2]) === hall.process.pid && found?.[3]?.startsWith("Z") === false && /claude/.test(found[4] ?? ""))
    .map((found) => Number(found?.[1]));
}
