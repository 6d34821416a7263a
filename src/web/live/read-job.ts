import type { HallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobDetail, WorkerResult } from "../../schema/job.ts";
import { sentenceOf } from "../format/sentence-of.ts";

/** As much of a result as a page holds, and how many characters all of it has. */
export type ShownResult = WorkerResult & { characters: number };

export type ReadJob = {
  job: JobDetail;
  /** Null until there is one. */
  result: ShownResult | null;
  /** Why the result of a job that is completed cannot be read. */
  resultFailure: string | null;
};

/** A page is sent whole, so what a worker hands in must not make it any size. */
const mostCharacters = 200_000;

type Reader = Pick<HallClient["jobs"], "get" | "result">;

/** A job with its result, which never changes: one that is known is not read again. A job has a page also where its result cannot be had. */
export async function readJob(client: Reader, worker: string, jobId: string, known: ShownResult | null = null): Promise<ReadJob> {
  const job = await client.get(worker, jobId);
  if (job.status !== "completed" || known !== null) return { job, result: job.status === "completed" ? known : null, resultFailure: null };
  try {
    return { job, result: shownOf(await client.result(worker, jobId)), resultFailure: null };
  } catch (error) {
    if (!(error instanceof HallError) || error.code === "not_found" || error.code === "hall_unreachable") throw error;
    return { job, result: null, resultFailure: sentenceOf(error, "read") };
  }
}

const shownOf = ({ output, ...result }: WorkerResult): ShownResult => ({
  ...result,
  output: output.slice(0, mostCharacters).toWellFormed(),
  characters: output.length,
});
