"use client";

import { useState } from "react";
import type { KeyboardEvent } from "react";
import type { JobId } from "../../../schema/job.ts";
import { visibleText } from "../../format/visible-text.ts";
import { useDraft } from "../../live/use-draft.ts";
import { Button } from "../elements/button.tsx";
import { TextArea } from "../elements/input.tsx";

type AnswerFormProps = {
  question: string;
  questionId: string;
  draftKey: string;
  /** An answer that is kept, and that did not reach the worker. */
  unsent: string | null;
  onAnswer: (question: string, text: string) => Promise<JobId | null>;
  onDismiss: (question: string) => Promise<boolean>;
};

/** Where a question of a worker is answered, or put away. */
export function AnswerForm({ question, questionId, draftKey, unsent, onAnswer, onDismiss }: AnswerFormProps) {
  const [draft, setDraft] = useDraft(draftKey);
  const [isTouched, setIsTouched] = useState(false);
  const [busyWith, setBusyWith] = useState<"answer" | "dismissal" | null>(null);
  const text = draft === "" && !isTouched ? (unsent ?? "") : draft;

  const send = async () => {
    if (busyWith !== null || text.trim() === "") return;
    setBusyWith("answer");
    const followUp = await onAnswer(question, text.trim());
    setBusyWith(null);
    if (followUp !== null) setDraft("");
  };
  const dismiss = async () => {
    setBusyWith("dismissal");
    await onDismiss(question);
    setBusyWith(null);
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
        {unsent === null ? null : (
          <p className="text-xs text-warn">
            Your answer is kept, but it did not reach the worker. Send it again as it is, or in other words.
          </p>
        )}
        <TextArea
          aria-label="Your answer"
          rows={2}
          value={text}
          onChange={(event) => {
            setIsTouched(true);
            setDraft(event.target.value);
          }}
          onKeyDown={onKeyDown}
          placeholder="Answer in your own words"
          className="max-h-[30vh]"
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2.5 max-rail:[&>button]:flex-1">
        <Button
          variant="brass"
          hotkey="Ctrl Enter"
          busy={busyWith === "answer"}
          disabledBecause={text.trim() === "" ? "Write an answer first" : undefined}
          onClick={() => void send()}
        >
          Send answer
        </Button>
        <Button
          variant="ghost"
          busy={busyWith === "dismissal"}
          title="It needs no answer: you settled it elsewhere, or it does not matter"
          onClick={() => void dismiss()}
        >
          Dismiss
        </Button>
        <span className="ml-auto text-xs text-ink-3 max-rail:hidden">Question and answer go with the follow-up.</span>
      </div>
    </>
  );
}
