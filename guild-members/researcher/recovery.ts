import { sweepTemporaries } from "./durable-file.ts";
import type { JobStore, KnownJob } from "./job-store.ts";
import { endProcess, worksFor } from "./process-identity.ts";

/**
 * Puts right what an earlier process left behind, before anybody is answered, and answers the jobs that are to be run, oldest
 * first. Only for the process that holds the lock of the folder: then nobody else runs these jobs.
 */
export async function recoverJobs(store: JobStore): Promise<string[]> {
  const toRun: string[] = [];
  for (const job of store.list().toReversed()) {
    const { id, status, runner, agent } = job.meta;
    if (status !== "running" && runner === null && agent === null) continue;
    if (await putRight(store, job).catch(giveUp(store, id))) toRun.push(id);
  }
  return toRun;
}

/** Answers whether the job is to be run. */
async function putRight(store: JobStore, job: KnownJob): Promise<boolean> {
  const { id, status, agent } = job.meta;
  const folder = store.files.folder(id);
  if (agent !== null && worksFor(agent, folder)) await endProcess(agent);
  await sweepTemporaries(folder);
  if (status === "running") return goesOn(store, job);
  if (status !== "failed") await store.files.removeSdkFolder(id);
  await store.update(id, async () => ({ runner: null, agent: null }));
  return false;
}

/** Somebody broke a file of the job, or the disk is full. One job less is no reason to do without the others. */
const giveUp =
  (store: JobStore, id: string) =>
  async (error: unknown): Promise<boolean> => {
    const reason = `Interrupted, and the job cannot be resumed: ${error instanceof Error ? error.message : String(error)}`;
    await store.finish(id, "failed", reason).catch(() => store.lose(id, "failed", reason));
    return false;
  };

async function goesOn(store: JobStore, { meta: { id, runner, interruptions } }: KnownJob): Promise<boolean> {
  const wasKilled = runner !== null;
  const died = interruptions + (wasKilled ? 1 : 0);
  await store.update(id, async () => ({
    runner: null,
    agent: null,
    interruptions: died,
    openQuestions: (await store.files.readQuestions(id)).length,
  }));
  if ((await store.files.readResult(id)) !== null) {
    await store.finish(id, "completed");
    await store.files.removeSdkFolder(id);
    return false;
  }
  const { maxAttempts } = await store.settings(id);
  if (!wasKilled || died < maxAttempts) return true;
  await store.finish(
    id,
    "failed",
    `Interrupted: the worker died ${died} ${died === 1 ? "time" : "times"} while it was at this job, and does not try again. Dispatch it anew if it is still wanted.`,
  );
  return false;
}
