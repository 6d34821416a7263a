import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { keptBy, tellsWhatItKeeps } from "./kept-memory.ts";
import { beginResearcher, researcherFolder } from "./member-process.ts";
import { listening } from "./researcher-process.ts";
import type { Researcher } from "./researcher-process.ts";

/** After the first one everything is loaded that will ever be. One of the later ones waits for its turn. How many there are is for the benchmark. */
const counts = { first: 1, later: 3 };
/** Of what is said in each job; a member that kept it, or half of it, would be found out. */
const said = 1_000_000;

describe("a researcher that gets many jobs at once", () => {
  it("completes them all and keeps in memory nothing of what was said", { timeout: 300_000 }, async () => {
    const model = await startScriptedModel({
      script: { defaults: { chunkSize: 50_000 }, turns: [{ reply: { text: "x".repeat(said), usage: { outputTokens: 10 } } }] },
      keep: { count: 1, bytes: 1 },
    });
    onTestFinished(() => model.close());
    const folder = await researcherFolder();
    const spawned = await beginResearcher(folder, model.url, { ...tellsWhatItKeeps, WORKER_CONCURRENCY: "2" });
    const member = await listening(folder, spawned);

    await runJobs(member, counts.first);
    const first = await keptBy(spawned);
    const statuses = await runJobs(member, counts.later);

    expect(statuses).toEqual(Array.from({ length: counts.first + counts.later }, () => "completed"));
    // The last agents let go of what they had a moment after their jobs are over.
    await expect.poll(async () => ((await keptBy(spawned)) - first) / counts.later).toBeLessThan(said / 2);
  });
});

const List = z.object({ jobs: z.array(z.object({ status: z.string() })) });

/** Answers the statuses of all jobs there are when no job runs any more. */
async function runJobs(member: Researcher, count: number): Promise<string[]> {
  const statuses = async () => (await member.call("worker/list", {}, List)).jobs.map(({ status }) => status);
  await Promise.all(Array.from({ length: count }, (_, number) => member.dispatch(`Job ${number}`)));
  await expect.poll(async () => (await statuses()).includes("running"), { timeout: 280_000, interval: 250 }).toBe(false);
  return statuses();
}
