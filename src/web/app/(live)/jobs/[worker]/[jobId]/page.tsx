import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { JobScreen } from "../../../../../components/screens/job.tsx";
import { JobGone } from "../../../../../components/screens/job-gone.tsx";
import { JobUnread } from "../../../../../components/screens/job-unread.tsx";
import { hall } from "../../../../../hall.ts";
import type { ReadJob } from "../../../../../live/use-job.ts";
import { HallError } from "../../../../../../schema/hall-error.ts";

type Props = { params: Promise<{ worker: string; jobId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const read = await readJob(await addressOf(params));
  return { title: read === null ? "Not found" : "job" in read ? read.job.description : "Job" };
}

export default async function JobPage({ params }: Props) {
  const { worker, jobId } = await addressOf(params);
  const read = await readJob({ worker, jobId });
  if (read === null) return <JobGone />;
  if (!("job" in read)) return <JobUnread key={`${worker}/${jobId}`} worker={worker} jobId={jobId} reason={read.reason} />;
  return <JobScreen key={`${worker}/${jobId}`} initial={read} />;
}

async function addressOf(params: Props["params"]): Promise<{ worker: string; jobId: string }> {
  const { worker, jobId } = await params;
  return { worker: decodeURIComponent(worker), jobId: decodeURIComponent(jobId) };
}

/**
 * The job, or why its worker cannot be asked for it now. Null where there is none: it may be deleted while its page is drawn
 * again, and a page that is not found in the middle of that would be an error to the browser.
 */
async function readJob({ worker, jobId }: { worker: string; jobId: string }): Promise<ReadJob | { reason: string } | null> {
  try {
    return await readOnce(worker, jobId);
  } catch (error) {
    if (!(error instanceof HallError) || error.code === "internal") throw error;
    if (error.code === "bad_request") notFound();
    if (error.code === "not_found") return null;
    return { reason: error.message };
  }
}

/** Page and title ask for the same job: it is read once per request. */
const readOnce = cache(async (worker: string, jobId: string): Promise<ReadJob> => {
  const { jobs } = hall();
  const job = await jobs.get(worker, jobId);
  return { job, result: job.status === "completed" ? await jobs.result(worker, jobId) : null };
});
