import type { EngineJobId } from "../../../schema/ids.ts";
import { inBatches } from "../in-batches.ts";
import type { Found, JobFiles } from "./job-files.ts";
import { openJob } from "./open-job.ts";
import type { OpenJob } from "./open-job.ts";

export type Adopted = { jobs: OpenJob[]; unreadable: Found[] };

/** Reads the open jobs of an earlier life, in the order of submission. A file that cannot be read is reported and stays. */
export async function adoptJobs(files: JobFiles, onProblem: (error: unknown) => void): Promise<Adopted> {
  const adopted: Adopted = { jobs: [], unreadable: [] };
  await inBatches(await files.listOpen(), 50, async (found) => {
    try {
      const job = await adoptJob(files, found, onProblem);
      if (job !== null) adopted.jobs.push(job);
    } catch (error) {
      onProblem(error);
      adopted.unreadable.push(found);
    }
  });
  adopted.jobs.sort((a, b) => a.job.order - b.job.order);
  return adopted;
}

/** Null if its file is no longer there. An attempt counts even if its lease cannot be read. */
export async function adoptJob(files: JobFiles, found: Found, onProblem: (error: unknown) => void): Promise<OpenJob | null> {
  const job = await files.readJob(found.id);
  if (job === null) return null;
  return openJob({ ...found, job, startedAt: await startOf(files, found.id, found.attempt).catch(reportAsNull) });

  function reportAsNull(error: unknown): null {
    onProblem(error);
    return null;
  }
}

async function startOf(files: JobFiles, id: EngineJobId, attempt: number): Promise<string | null> {
  return attempt === 0 ? null : ((await files.readLease(id, attempt))?.startedAt ?? null);
}
