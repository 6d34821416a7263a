import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { JobScreen } from "../../../../../components/screens/job.tsx";
import { JobGone } from "../../../../../components/screens/job-gone.tsx";
import { JobUnread } from "../../../../../components/screens/job-unread.tsx";
import { briefText } from "../../../../../format/brief-text.ts";
import { hall } from "../../../../../hall.ts";
import { readJob } from "../../../../../live/read-job.ts";
import type { ReadJob } from "../../../../../live/read-job.ts";
import type { ErrorCode } from "../../../../../../schema/error-code.ts";
import { HallError } from "../../../../../../schema/hall-error.ts";

type Props = { params: Promise<{ worker: string; jobId: string }> };

const mostInTitle = 200;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const read = await readOrWhyNot(await addressOf(params));
  return { title: read === null ? "Not found" : "job" in read ? briefText(read.job.description, mostInTitle) : "Job" };
}

export default async function JobPage({ params }: Props) {
  const { worker, jobId } = await addressOf(params);
  const read = await readOrWhyNot({ worker, jobId });
  if (read === null) return <JobGone />;
  if (!("job" in read)) return <JobUnread key={`${worker}/${jobId}`} worker={worker} jobId={jobId} reason={read.reason} />;
  return <JobScreen key={`${worker}/${jobId}`} initial={read} />;
}

async function addressOf(params: Props["params"]): Promise<{ worker: string; jobId: string }> {
  const { worker, jobId } = await params;
  return { worker: decodeURIComponent(worker), jobId: decodeURIComponent(jobId) };
}

/** No such job, no such worker, a member that takes no jobs, or an address that could be none of them. */
const isNowhere = (code: ErrorCode): boolean =>
  code === "not_found" || code === "conflict" || code === "invalid_id" || code === "bad_request";

/** The job, or why its worker cannot be asked for it now. Null where there is none, and the page is not found. */
async function readOrWhyNot({ worker, jobId }: { worker: string; jobId: string }): Promise<ReadJob | { reason: string } | null> {
  try {
    return await readOnce(worker, jobId);
  } catch (error) {
    if (!(error instanceof HallError) || error.code === "internal") throw error;
    if (!isNowhere(error.code)) return { reason: error.message };
    // A job may be deleted while its page is drawn again, and that a page is not found then would be an error to the browser.
    if ((await headers()).get("sec-fetch-dest") === "empty") return null;
    return notFound();
  }
}

/** Page and title ask for the same job: it is read once per request. */
const readOnce = cache((worker: string, jobId: string): Promise<ReadJob> => readJob(hall().jobs, worker, jobId));
