"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import type { JobDetail } from "../../../schema/job.ts";
import { sizeOf } from "../../../schema/size.ts";
import type { ReadJob, ShownResult } from "../../live/read-job.ts";
import { useBusy } from "../../live/use-busy.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { Empty } from "../elements/empty.tsx";
import { Icon } from "../elements/icon.tsx";
import { Markdown } from "./markdown.tsx";

export type JobResultProps = ReadJob & { onReadAgain: () => Promise<boolean>; onDownloadResult: () => Promise<boolean> };

/** What a job came to. */
export function JobResult({ job, result, resultFailure, onReadAgain, onDownloadResult }: JobResultProps) {
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
          {isWhole(result) ? <CopyButton text={result.output}>Copy result</CopyButton> : <DownloadResult onDownload={onDownloadResult} />}
        </span>
      </div>
      {result.output.trim() === "" ? <p className="text-ink-2">It is empty.</p> : <Markdown text={result.output} />}
      {isWhole(result) ? null : (
        <p className="mt-3 text-xs text-ink-2">
          This is the first {sizeOf(result.output.length)} of {sizeOf(result.characters)}. Download the result to have all of it.
        </p>
      )}
    </section>
  );
}

const isWhole = ({ output, characters }: ShownResult): boolean => output.length === characters;

function DownloadResult({ onDownload }: { onDownload: () => Promise<boolean> }) {
  const [isBusy, begin] = useBusy();
  return (
    <Button
      size="sm"
      busy={isBusy}
      icon={<Icon of={Download} className="size-[15px]" />}
      onClick={() => begin(async () => void (await onDownload()))}
    >
      Download result
    </Button>
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
