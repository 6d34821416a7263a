"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { briefText } from "../../format/brief-text.ts";
import { jobFiles } from "../../live/artifact-source.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { useJob } from "../../live/use-job.ts";
import type { ReadJob } from "../../live/read-job.ts";
import { useJobEvents } from "../../live/use-job-events.ts";
import { useOpenArtifact } from "../../live/use-open-artifact.ts";
import { useTitleMark } from "../../live/use-title-mark.ts";
import { Banner } from "../elements/banner.tsx";
import { draftOf } from "../groups/dispatch-draft.ts";
import { JobArtifactDialog } from "../groups/job-artifact-dialog.tsx";
import { jobArtifacts } from "../groups/job-artifacts.ts";
import { CancelJobDialog, DeleteJobDialog } from "../groups/job-dialogs.tsx";
import { JobFacts } from "../groups/job-facts.tsx";
import { JobHead } from "../groups/job-head.tsx";
import { JobParts } from "../groups/job-parts.tsx";
import { JobQuestion } from "../groups/job-question.tsx";
import { jobHindrances, jobLooks } from "../groups/job-status.ts";
import { Page } from "../groups/page.tsx";
import { useShell } from "../groups/shell-context.ts";
import { usePageCommands } from "../groups/use-page-commands.ts";
import { JobGone } from "./job-gone.tsx";

type Layer = "none" | "cancel" | "delete";

/** One job: its task, what happened in it, what it came to, and what it wants to know. */
export function JobScreen({ initial }: { initial: ReadJob }) {
  const handle = useJob(initial);
  const { job, result, resultFailure, failure } = handle;
  const { worker, jobId } = job;
  const read = useJobEvents({ ...job, isGone: handle.isGone });
  const [layer, setLayer] = useState<Layer>("none");
  const [isBusy, setIsBusy] = useState(false);
  const [openPath, closeArtifact] = useOpenArtifact();
  const shell = useShell();
  const router = useRouter();
  const workerName = useRoster().find(({ name }) => name === worker)?.displayName ?? worker;
  const isRunning = job.status === "running";
  const hindrances = jobHindrances[job.status];
  const artifacts = jobArtifacts(job, read.kept?.events ?? [], result);
  const openQuestions = job.asked.filter(({ isOpen }) => isOpen).length;
  useTitleMark(openQuestions > 0 ? "Asks you" : isRunning ? "Running" : job.status === "completed" ? null : jobLooks[job.status].word);

  const confirm = async (action: () => Promise<boolean>, done: () => void) => {
    setIsBusy(true);
    if (await action()) done();
    setIsBusy(false);
  };
  const ask = (next: Layer) => {
    handle.forgive();
    setLayer(next);
  };
  const again = () => shell.open({ layer: "new-job", draft: draftOf(job) });
  const acts = {
    onCancel: () => ask("cancel"),
    onDelete: () => ask("delete"),
    onAgain: again,
    onHide: (isHidden: boolean) => void handle.setHidden(isHidden),
  };
  useHotkeys({ C: () => hindrances.cancel === undefined && acts.onCancel(), "Shift R": () => hindrances.again === undefined && again() });
  usePageCommands([
    {
      id: "cancel",
      kind: "stop",
      label: "Cancel job",
      hotkey: "C",
      run: acts.onCancel,
      disabledBecause: hindrances.cancel,
    },
    {
      id: "again",
      kind: "job",
      label: "Dispatch again",
      hotkey: "Shift R",
      run: again,
      disabledBecause: hindrances.again,
    },
    {
      id: "hide",
      kind: "panel",
      label: job.hidden ? "Show in the list" : "Hide from the list",
      run: () => acts.onHide(!job.hidden),
      disabledBecause: hindrances.hide,
    },
    {
      id: "delete",
      kind: "delete",
      label: "Delete job",
      run: acts.onDelete,
      disabledBecause: hindrances.delete,
    },
  ]);

  if (handle.isGone && layer !== "delete") return <JobGone description={job.description} />;
  const dialog = { description: job.description, isBusy, failure, onClose: () => setLayer("none") };
  return (
    <Page>
      <JobHead job={job} workerName={workerName} openQuestions={openQuestions} {...acts} />
      {failure === null || layer !== "none" ? null : (
        <div role="alert" className="mb-4">
          <Banner title="That did not work.">{failure}</Banner>
        </div>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 column:grid-cols-[minmax(0,1fr)_300px]">
        <div className="min-w-0">
          {job.status === "failed" ? (
            <div className="mb-4">
              <Banner title="The job failed.">{briefText(job.error ?? "Its worker does not say why.", 2000)}</Banner>
            </div>
          ) : null}
          {job.asked.map((asked, at) => (
            <JobQuestion
              key={`${at} ${asked.question}`}
              {...{ worker, workerName, jobId, asked }}
              onAnswer={handle.answer}
              onDismiss={handle.dismiss}
            />
          ))}
          <JobParts {...{ job, result, resultFailure, read }} onReadAgain={handle.readAgain} onDownloadResult={handle.downloadResult} />
        </div>
        <JobFacts job={job} artifacts={artifacts} />
      </div>
      <JobArtifactDialog
        source={jobFiles(worker, jobId)}
        artifact={artifacts.find(({ path }) => path === openPath)}
        onClose={closeArtifact}
      />
      <CancelJobDialog {...dialog} isOpen={layer === "cancel"} onConfirm={() => void confirm(handle.cancel, () => setLayer("none"))} />
      <DeleteJobDialog
        {...dialog}
        isOpen={layer === "delete"}
        onConfirm={() =>
          void confirm(handle.remove, () => {
            shell.say(`${briefText(job.description)} is deleted.`, "cancelled");
            router.push("/jobs");
          })
        }
      />
    </Page>
  );
}
