"use client";

import type { JobDetail, WorkerResult } from "../../../schema/job.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { Empty } from "../elements/empty.tsx";
import { Markdown } from "./markdown.tsx";

/** What a job came to. */
export function JobResult({ job, result }: { job: JobDetail; result: WorkerResult | null }) {
  if (result === null) return <Empty title="No result">{whyNone[job.status]}</Empty>;
  return (
    <section aria-labelledby="result">
      <div className="mb-2.5 flex items-center gap-2">
        <h2 id="result">Result</h2>
        <span className="ml-auto">
          <CopyButton text={result.output}>Copy result</CopyButton>
        </span>
      </div>
      {result.output.trim() === "" ? <p className="text-ink-2">It is empty.</p> : <Markdown text={result.output} />}
    </section>
  );
}

const whyNone: Record<JobDetail["status"], string> = {
  running: "It is not written yet. The timeline shows how far the job is.",
  completed: "The worker says that it is done and does not hand over a result. Its transcript may have it.",
  failed: "The job failed before it had one. What it did is in the timeline.",
  cancelled: "The job was cancelled before it had one. What it did is in the timeline.",
};
