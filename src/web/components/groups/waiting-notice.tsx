"use client";

import type { MessageId } from "../../../schema/ids.ts";
import type { WaitingFor } from "../../../schema/run.ts";
import type { Session } from "../../../schema/session.ts";
import { wordsForWaiting } from "../../../schema/waiting-words.ts";
import { useIsPaused } from "../../live/runs-provider.tsx";
import { ClockTime } from "../elements/clock-time.tsx";
import { Status } from "../elements/status.tsx";
import { BudgetQuestion } from "./budget-question.tsx";
import { waitingLooks } from "./session-status.ts";
import { Notice } from "./session-notice.tsx";
import { UsageLimitNotice } from "./usage-limit-notice.tsx";

type WaitingNoticeProps = {
  session: Session;
  runId: MessageId | undefined;
  waitingFor: WaitingFor;
  /** A run that has started is not held up by a pause of new runs. */
  hasBegun: boolean;
};

/** What the run waits for and since when, with what can be done about it. */
export function WaitingNotice({ session, runId, waitingFor, hasBegun }: WaitingNoticeProps) {
  const isPaused = useIsPaused() && !hasBegun && waitingFor.kind === "slot";
  if (waitingFor.kind === "limit") return <UsageLimitNotice runId={runId} waitingFor={waitingFor} />;
  if (waitingFor.kind === "budget")
    return <BudgetQuestion key={waitingFor.since} session={session} runId={runId} waitingFor={waitingFor} />;
  return (
    <Notice isTold>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2">
        <Status
          of={waitingLooks[waitingFor.kind].status}
          word={isPaused ? "Waiting until new runs are resumed." : wordsForWaiting(waitingFor)}
        />
        <span className="text-ink-3">
          since <ClockTime at={waitingFor.since} />
        </span>
      </p>
      {waitingFor.kind === "person" ? (
        <p className="mt-1 text-xs text-ink-2">
          To see the call and decide, run <code>guild-hall approvals show {waitingFor.approvalId}</code>.
        </p>
      ) : null}
    </Notice>
  );
}
