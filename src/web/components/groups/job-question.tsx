"use client";

import Link from "next/link";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import type { JobId, JobQuestion as Asked } from "../../../schema/job.ts";
import { jobHref } from "../../format/job-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import { Age } from "../elements/age.tsx";
import { Button } from "../elements/button.tsx";
import { Glyph } from "../elements/glyph.tsx";
import { AnswerForm } from "./answer-form.tsx";

type JobQuestionProps = {
  worker: string;
  workerName: string;
  jobId: string;
  asked: Asked;
  onAnswer: (question: string, text: string) => Promise<JobId | null>;
  onDismiss: (question: string) => Promise<boolean>;
};

/** A question of a worker. The answer goes into a job of its own, because the one that asked does not wait. */
export function JobQuestion({ worker, workerName, jobId, asked, onAnswer, onDismiss }: JobQuestionProps) {
  const id = useId();
  const [isWanted, setIsWanted] = useState(false);
  const { question, isOpen, answer, dismissedAt } = asked;
  const isAnswered = answer !== null && answer.followUp !== null;
  if (!isOpen && (isAnswered || !isWanted))
    return (
      <Settled id={id} question={question} isAnswered={isAnswered}>
        {isAnswered ? (
          <Answer worker={worker} answer={answer} />
        ) : (
          <p className="flex flex-wrap items-center gap-2 text-ink-2">
            <span>You dismissed this question {dismissedAt === null ? null : <Age at={dismissedAt} />}.</span>
            <Button size="sm" onClick={() => setIsWanted(true)}>
              Answer after all
            </Button>
          </p>
        )}
      </Settled>
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
      <AnswerForm
        question={question}
        questionId={`${id}question`}
        draftKey={`${worker} ${jobId} ${question}`}
        unsent={answer !== null && answer.followUp === null ? answer.text : null}
        onAnswer={onAnswer}
        onDismiss={async (dismissed) => {
          setIsWanted(false);
          return onDismiss(dismissed);
        }}
      />
    </section>
  );
}

type SettledProps = { id: string; question: string; isAnswered: boolean; children: ReactNode };

const Settled = ({ id, question, isAnswered, children }: SettledProps) => (
  <section aria-labelledby={id} className="mb-3 flex items-start gap-2 rounded-3 border border-line bg-surface px-3 py-2">
    <span className={`mt-[3px] ${isAnswered ? "text-ok" : "text-ink-3"}`}>
      <Glyph of={isAnswered ? "completed" : "cancelled"} />
    </span>
    <div className="min-w-0 [overflow-wrap:anywhere]">
      <p id={id} className="text-ink-2">
        {visibleText(question)}
      </p>
      {children}
    </div>
  </section>
);

function Answer({ worker, answer }: { worker: string; answer: NonNullable<Asked["answer"]> }) {
  return (
    <>
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
    </>
  );
}
