import { expect, it } from "vitest";
import { whenNeeded } from "../../guild-members/researcher/member.ts";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import { openJob } from "../../guild-members/researcher/open-job.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("an agent that could not be loaded for one job is loaded for the next, and only once", async () => {
  const store = await openJobStore(await temporaryFolder(), readSettings({}).job);
  const job = await openJob(store, await store.create("A job", "a task", {}), () => undefined);
  const { signal } = new AbortController();
  let [loads, runs] = [0, 0];
  const agent = whenNeeded(async () => {
    loads += 1;
    if (loads === 1) throw new Error("Too many open files.");
    return { runJob: async () => void (runs += 1), settled: () => Promise.resolve() };
  });

  await agent.settled();
  await expect(agent.runJob(job, signal)).rejects.toThrow("Too many open files.");
  await agent.runJob(job, signal);
  await agent.runJob(job, signal);
  await agent.settled();

  expect([loads, runs]).toEqual([2, 2]);
});
