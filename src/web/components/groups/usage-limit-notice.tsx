"use client";

import { RotateCcw } from "lucide-react";
import type { MessageId } from "../../../schema/ids.ts";
import type { WaitingFor } from "../../../schema/run.ts";
import { wordsForWaiting } from "../../../schema/waiting-words.ts";
import { countdownOf } from "../../format/countdown.ts";
import { useNow } from "../../live/use-now.ts";
import { useFocusBack } from "../../live/use-focus-back.ts";
import { useRunActs } from "../../live/use-run-acts.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { ClockTime } from "../elements/clock-time.tsx";
import { Icon } from "../elements/icon.tsx";
import { Notice } from "./session-notice.tsx";
import { usePageCommands } from "./use-page-commands.ts";

type UsageLimitNoticeProps = { runId: MessageId | undefined; waitingFor: Extract<WaitingFor, { kind: "limit" }> };

/** The run waits for the model's usage limit: how long that takes, and how not to wait. */
export function UsageLimitNotice({ runId, waitingFor }: UsageLimitNoticeProps) {
  const actions = useFocusBack<HTMLSpanElement>();
  const { busyWith, failure, closedBecause, tryNow, stop } = useRunActs(runId);
  usePageCommands([{ id: "try-now", kind: "renew", label: "Try the model now", run: () => void tryNow(), disabledBecause: closedBecause }]);
  return (
    <Notice isTold>
      <Banner
        tone="warning"
        glyph="expired"
        title={wordsForWaiting(waitingFor)}
        action={
          <span ref={actions} className="flex gap-2">
            <Button
              size="sm"
              icon={<Icon of={RotateCcw} className="size-[15px]" />}
              busy={busyWith === "resume"}
              disabledBecause={closedBecause}
              onClick={() => void tryNow()}
            >
              Try now
            </Button>
            <Button size="sm" variant="danger" busy={busyWith === "stop"} disabledBecause={closedBecause} onClick={() => void stop()}>
              Stop
            </Button>
          </span>
        }
      >
        <Countdown until={waitingFor.until} /> Waiting since <ClockTime at={waitingFor.since} />. Nothing is lost.
      </Banner>
      {failure === null ? null : (
        <p role="alert" className="mt-1.5 text-xs text-err">
          {failure}
        </p>
      )}
    </Notice>
  );
}

function Countdown({ until }: { until: string }) {
  const left = countdownOf(until, useNow(1000));
  // The hall spreads the runs that wait for one reset over a minute.
  if (left === null) return "It has reset. The run resumes within a minute.";
  return (
    <>
      It resets in{" "}
      <b role="timer" suppressHydrationWarning className="font-medium text-ink tabular-nums">
        {left}
      </b>
      , at <ClockTime at={until} />. The run then resumes within a minute.
    </>
  );
}
