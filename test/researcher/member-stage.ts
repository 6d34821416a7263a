import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { JobEvents, WorkerResult, WorkerStatus } from "../../src/schema/job.ts";
import type { JobEvent } from "../../src/schema/job.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ReplyFunction, ScriptedModel } from "../../src/scripted-model/server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { listening, spawnResearcher } from "./researcher-process.ts";

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

/** The researcher as the hall runs it, a process of its own, with the real SDK and a model that plays the script; all gone when the test is over. */
export async function setMemberStage(script: ReplyFunction): Promise<MemberStage> {
  const model = await startScriptedModel({ script });
  onTestFinished(() => model.close());
  // A home folder may be called anything, and some of it means something to patterns.
  const folder = join(await temporaryFolder(), "a (b) [c]*");
  await mkdir(folder);
  const spawned = await spawnResearcher(folder, model.url);
  onTestFinished(async () => {
    spawned.child.kill("SIGKILL");
    await spawned.exited;
  });
  const member = await listening(folder, spawned);

  return {
    model,
    folder,
    dispatch: (task) => member.dispatch(task),
    async end(jobId) {
      await expect.poll(() => member.status(jobId)).not.toBe("running");
      const status = await member.call("worker/status", { jobId }, WorkerStatus);
      const { events } = await member.call("worker/events", { jobId }, JobEvents);
      const result = status.status === "completed" ? await member.call("worker/result", { jobId }, WorkerResult) : null;
      return { status, result, events };
    },
    jobFile: (jobId, name) => readFile(join(folder, "jobs", jobId, name), "utf8"),
  };
}
