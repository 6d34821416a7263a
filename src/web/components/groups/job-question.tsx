"use client";

import Link from "next/link";
import { useId, useState } from "react";
import type { KeyboardEvent } from "react";
import type { JobId, JobQuestion as Asked } from "../../../schema/job.ts";
import { jobHref } from "../../format/job-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import { useDraft } from "../../live/use-draft.ts";
import { Age } from "../elements/age.tsx";
import { Button } from "../elements/button.tsx";
import { Glyph } from "../elements/glyph.tsx";
import { TextArea } from "../elements/input.tsx";

type JobQuestionProps = {
  worker: string;
  workerName: string;
  jobId: string;
  asked: Asked;
  onAnswer: (question: string, text: string) => Promise<JobId | null>;
};

/** A question of a worker. The answer goes into a job of its own, because the one that asked does not wait. */
export function JobQuestion({ worker, workerName, jobId, asked: { question, answer }, onAnswer }: JobQuestionProps) {
  const id = useId();
  if (answer !== null)
    return (
      <section aria-labelledby={id} className="mb-3 flex items-start gap-2 rounded-3 border border-line bg-surface px-3 py-2">
        <span className="mt-[3px] text-ok">
          <Glyph of="completed" />
        </span>
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <p id={id} className="text-ink-2">
            {visibleText(question)}
          </p>
          <p>
            <b className="font-medium">You answered:</b> {visibleText(answer.text)}
          </p>
          <p className="text-xs text-ink-3">
            <Age at={answer.at} />
            {answer.followUp === null ? null : (
              <>
                {", "}
                <Link href={jobHref(worker, answer.followUp)} prefetch={false} className="underline decoration-control underline-offset-3">
                  the job that goes on with it
                </Link>
              </>
            )}
          </p>
        </div>
      </section>
    );
  return (
    <section aria-labelledby={`${id} ${id}question`} className="mb-5 overflow-hidden rounded-3 border border-brass-line bg-surface">
      <h2
        id={id}
        className="flex items-center gap-2 border-b border-brass-line bg-brass-wash px-3 py-2 font-ui text-sm font-semibold tracking-normal [--glyph:var(--brass-wash)]"
      >
        <Glyph of="waiting" className="size-4 text-brass" />
        {workerName} asks
        <span className="font-normal text-ink-2 max-rail:hidden">the job does not wait; your answer starts a follow-up</span>
      </h2>
      <AnswerForm question={question} questionId={`${id}question`} draftKey={`${worker} ${jobId} ${question}`} onAnswer={onAnswer} />
    </section>
  );
}

type AnswerFormProps = Pick<JobQuestionProps, "onAnswer"> & { question: string; questionId: string; draftKey: string };

function AnswerForm({ question, questionId, draftKey, onAnswer }: AnswerFormProps) {
  const [text, setText] = useDraft(draftKey);
  const [isBusy, setIsBusy] = useState(false);
  const send = async () => {
    if (isBusy || text.trim() === "") return;
    setIsBusy(true);
    const followUp = await onAnswer(question, text.trim());
    setIsBusy(false);
    if (followUp !== null) setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };
  return (
    <>
      <div className="grid gap-2.5 p-3">
        <p id={questionId} dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {visibleText(question)}
        </p>
        <TextArea
          aria-label="Your answer"
          rows={2}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder="Answer in your own words"
          className="max-h-[30vh]"
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2.5 max-rail:[&>button]:flex-1">
        <Button
          variant="brass"
          hotkey="Ctrl Enter"
          busy={isBusy}
          disabledBecause={text.trim() === "" ? "Write an answer first" : undefined}
          onClick={() => void send()}
        >
          Send answer
        </Button>
        <span className="ml-auto text-xs text-ink-3 max-rail:hidden">Question and answer go with the follow-up.</span>
      </div>
    </>
  );
}
