import { join } from "node:path";
import { expect, it } from "vitest";
import { composeTestHall } from "../../src/server/composed-hall.testing.ts";
import type { TestHall } from "../../src/server/composed-hall.testing.ts";
import { leadersOf } from "../faults/processes.ts";

it("has an agent wait for the next message of a session that somebody has open, and lets it go when they leave", async () => {
  const hall = await composeTestHall();
  const { id } = await hall.client.sessions.create({ name: "Open" });
  const leaving = new AbortController();
  const looking = look(hall, { open: id, signal: leaving.signal });
  const [waiting] = await waitForAgents(hall, 1);

  await hall.client.sessions.send(id, "long answer");
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "text") break;
  const serving = await agentsOf(hall);
  await hall.client.sessions.stop(id);
  const [next] = await waitForAgents(hall, 1);
  leaving.abort();
  await looking;

  expect(serving).toEqual([waiting]);
  expect(next).not.toBe(waiting);
  await waitForAgents(hall, 0);
});

async function look(hall: TestHall, options: Parameters<TestHall["client"]["events"]>[0]): Promise<void> {
  const read = async () => {
    for await (const _event of hall.client.events(options));
  };
  await read().catch((error: unknown) => {
    if (options?.signal?.aborted !== true) throw error;
  });
}

async function waitForAgents(hall: TestHall, count: number): Promise<number[]> {
  await expect.poll(() => agentsOf(hall)).toHaveLength(count);
  return agentsOf(hall);
}

const agentsOf = ({ home }: TestHall): Promise<number[]> => leadersOf(join(home, "claude"));
