import type { HallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobDetail, WorkerResult } from "../../schema/job.ts";
import { sentenceOf } from "../format/sentence-of.ts";

export type ReadJob = {
  job: JobDetail;
  /** Null until there is one. */
  result: WorkerResult | null;
  /** Why the result of a job that is completed cannot be read. */
  resultFailure: string | null;
};

type Reader = Pick<HallClient["jobs"], "get" | "result">;

/** A job with its result, which never changes: one that is known is not read again. A job has a page also where its result cannot be had. */
export async function readJob(client: Reader, worker: string, jobId: string, known: WorkerResult | null = null): Promise<ReadJob> {
  const job = await client.get(worker, jobId);
  if (job.status !== "completed" || known !== null) return { job, result: job.status === "completed" ? known : null, resultFailure: null };
  try {
    return { job, result: await client.result(worker, jobId), resultFailure: null };
  } catch (error) {
    if (!(error instanceof HallError) || error.code === "not_found" || error.code === "hall_unreachable") throw error;
    return { job, result: null, resultFailure: sentenceOf(error, "read") };
  }
}
