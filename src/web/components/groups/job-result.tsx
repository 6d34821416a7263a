"use client";

import { useState } from "react";
import type { JobDetail } from "../../../schema/job.ts";
import type { ReadJob } from "../../live/read-job.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { Empty } from "../elements/empty.tsx";
import { Markdown } from "./markdown.tsx";

/** What a job came to. */
export function JobResult({ job, result, resultFailure, onReadAgain }: ReadJob & { onReadAgain: () => Promise<boolean> }) {
  if (resultFailure !== null) return <Unreadable reason={resultFailure} onReadAgain={onReadAgain} />;
  if (result === null)
    return (
      <Empty isWholePage title="No result">
        {whyNone[job.status]}
      </Empty>
    );
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

function Unreadable({ reason, onReadAgain }: { reason: string; onReadAgain: () => Promise<boolean> }) {
  const [isBusy, setIsBusy] = useState(false);
  const readAgain = async () => {
    setIsBusy(true);
    await onReadAgain();
    setIsBusy(false);
  };
  return (
    <Banner
      tone="warning"
      title="The result cannot be read."
      action={
        <Button size="sm" busy={isBusy} onClick={() => void readAgain()}>
          Try again
        </Button>
      }
    >
      {reason}
    </Banner>
  );
}

const whyNone: Record<JobDetail["status"], string> = {
  running: "It is not written yet. The timeline shows how far the job is.",
  completed: "The worker says that it is done and does not hand over a result. Its transcript may have it.",
  failed: "The job failed before it had one. What it did is in the timeline.",
  cancelled: "The job was cancelled before it had one. What it did is in the timeline.",
};
