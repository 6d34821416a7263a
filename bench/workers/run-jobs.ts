import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { Researcher } from "../../test/researcher/researcher-process.ts";

/** The shortest job there is: its result, and then the end. */
export const oneTool = (step: number): Reply =>
  step === 1 ? { tools: [{ name: "mcp__worker-internal__submit_result", input: { output: "Done." } }] } : { text: "Done." };

const Statuses = z.object({ jobs: z.array(z.object({ jobId: z.string(), status: z.string() })) });

/** Dispatches so many jobs at once, and resolves when all of them are completed. */
export async function runJobs(member: Researcher, count: number): Promise<void> {
  const ids = new Set(await Promise.all(Array.from({ length: count }, () => member.dispatch("Measure me."))));
  for (;;) {
    const { jobs } = await member.call("worker/list", {}, Statuses);
    const ours = jobs.filter(({ jobId }) => ids.has(jobId));
    if (ours.some(({ status }) => status === "failed")) throw new Error("A job failed.");
    if (ours.every(({ status }) => status === "completed")) return;
    // To be asked takes the member's time, and that of as many bare queries nobody takes.
    await pause(200);
  }
}
