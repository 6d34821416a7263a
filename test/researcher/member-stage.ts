import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import { JobEvents, WorkerResult, WorkerStatus } from "../../src/schema/job.ts";
import type { JobEvent } from "../../src/schema/job.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ReplyFunction, ScriptedModel } from "../../src/scripted-model/server.ts";
import { researcherFolder, startResearcher } from "./member-process.ts";

export type MemberStage = {
  model: ScriptedModel;
  /** Of the member: `jobs/` and `memory/` lie in it. */
  folder: string;
  dispatch(task: string): Promise<string>;
  /** What the member tells of a job, when the job has ended. */
  end(jobId: string): Promise<EndedJob>;
  jobFile(jobId: string, name: string): Promise<string>;
};

export type EndedJob = { status: WorkerStatus; result: WorkerResult | null; events: JobEvent[] };

/** The researcher as the hall runs it, a process of its own, with the real SDK and a model that plays the script, for all tests of a file. Call it in `beforeAll`, and close the model when the last of them is over. */
export async function openMemberStage(script: ReplyFunction): Promise<MemberStage> {
  const model = await startScriptedModel({ script });
  // A home folder may be called anything, and some of it means something to patterns.
  const folder = join(await researcherFolder(), "a (b) [c]*");
  await mkdir(folder);
  const member = await startResearcher(folder, model.url);

  return {
    model,
    folder,
    dispatch: (task) => member.dispatch(task),
    async end(jobId) {
      await vi.waitUntil(async () => (await member.status(jobId)) !== "running", { timeout: 60_000, interval: 50 });
      const status = await member.call("worker/status", { jobId }, WorkerStatus);
      const { events } = await member.call("worker/events", { jobId }, JobEvents);
      const result = status.status === "completed" ? await member.call("worker/result", { jobId }, WorkerResult) : null;
      return { status, result, events };
    },
    jobFile: (jobId, name) => readFile(join(folder, "jobs", jobId, name), "utf8"),
  };
}
