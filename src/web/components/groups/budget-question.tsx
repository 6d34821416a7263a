"use client";

import { useId } from "react";
import type { MessageId } from "../../../schema/ids.ts";
import type { LimitKind, WaitingFor } from "../../../schema/run.ts";
import type { Session } from "../../../schema/session.ts";
import { firstSentence } from "../../format/first-sentence.ts";
import { limitUnits, unitOf } from "../../format/limit-unit.ts";
import { useFocusBack } from "../../live/use-focus-back.ts";
import { raiseLimit, useRunActs } from "../../live/use-run-acts.ts";
import { useUsedOfLimit } from "../../live/use-used-of-limit.ts";
import { Button } from "../elements/button.tsx";
import { ClockTime } from "../elements/clock-time.tsx";
import { Glyph } from "../elements/glyph.tsx";
import { LimitForm } from "./limit-form.tsx";
import { Notice } from "./session-notice.tsx";
import { usePageCommands } from "./use-page-commands.ts";

type BudgetQuestionProps = { session: Session; runId: MessageId | undefined; waitingFor: Extract<WaitingFor, { kind: "budget" }> };

/** The run waits at a limit, and the person decides: raise it, finish with what there is, or stop. */
export function BudgetQuestion({ session, runId, waitingFor: { limit, message, since } }: BudgetQuestionProps) {
  const id = useId();
  const question = useFocusBack<HTMLElement>();
  const used = useUsedOfLimit(session, runId, limit);
  const { busyWith, failure, closedBecause, finish, stop } = useRunActs(runId);
  const unit = unitOf(limit);
  const raise = async (to: number) => (runId === undefined ? undefined : raiseLimit(runId, to));
  usePageCommands([
    { id: "raise", kind: "write", label: "Raise the limit", run: () => question.current?.querySelector("input")?.focus() },
    { id: "finish", kind: "complete", label: "Finish with what there is", run: () => void finish(), disabledBecause: closedBecause },
  ]);

  return (
    <Notice isTold>
      <section ref={question} aria-labelledby={id} className="overflow-hidden rounded-3 border border-brass-line bg-surface">
        <h2
          id={id}
          className="flex flex-wrap items-center gap-x-2 border-b border-brass-line bg-brass-wash px-3 py-2 font-ui text-sm font-semibold tracking-normal [--glyph:var(--brass-wash)]"
        >
          <Glyph of="waiting" className="size-4 text-brass" />
          Paused at a limit
          <span className="font-normal text-ink-2">
            since <ClockTime at={since} />
          </span>
        </h2>
        <div className="grid gap-3 px-3 py-2.5">
          <p className="[overflow-wrap:anywhere]">
            {firstSentence(message).first} <span className="text-ink-2">What was done is saved, and the run resumes from there.</span>
          </p>
          {used === undefined ? null : (
            <LimitForm
              label={labels[limit]}
              unit={unit}
              suggested={used === null ? null : limitUnits[unit].higher(used)}
              above={used ?? 0}
              actions={[{ says: limit === "day" ? "Raise for today and resume" : "Raise and resume", do: raise }]}
              disabledBecause={closedBecause}
              variant="brass"
            />
          )}
          <div className="flex flex-wrap gap-2 border-t border-line pt-2.5">
            <Button size="sm" busy={busyWith === "finish"} disabledBecause={closedBecause} onClick={() => void finish()}>
              Finish with what there is
            </Button>
            <Button size="sm" variant="danger" busy={busyWith === "stop"} disabledBecause={closedBecause} onClick={() => void stop()}>
              Stop
            </Button>
            {failure === null ? null : (
              <p role="alert" className="self-center text-xs text-err">
                {failure}
              </p>
            )}
          </div>
        </div>
      </section>
    </Notice>
  );
}

const labels: Record<LimitKind, string> = {
  turns: "New limit for this answer",
  run: "New limit for this answer",
  session: "New limit for this session",
  day: "New limit for the day",
};
