"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { money } from "../../../schema/money.ts";
import type { SetDayLimit, Spending } from "../../../schema/spending.ts";
import { counted } from "../../format/figures.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { clearDayLimit, setDayLimit } from "../../live/set-limit.ts";
import { useBusy } from "../../live/use-busy.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { Meter } from "../elements/meter.tsx";
import { LimitForm } from "./limit-form.tsx";
import { useClosedBecause } from "./person-note.tsx";
import { useShell } from "./shell-context.ts";
import { SpendingDays } from "./spending-days.tsx";

/** What was spent, what a day may cost, and how to change that on the spot. */
export function SpendingSettings({ spending }: { spending: Spending }) {
  const { today, limit, perSessionUsd, days } = spending;
  const { perDayUsd } = limit;
  const closedBecause = useClosedBecause();
  const { set, clear, lift, isBusy, failure } = useDayLimit();
  const spent = `${today.isEstimate ? "about " : ""}${money(today.costUsd)}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {perDayUsd === null ? (
        <p>
          Today: <b className="font-medium tabular-nums">{spent}</b> for {counted(today.queries, "query", "queries")}, without a limit.
        </p>
      ) : (
        <Meter label="Spent today" value={today.costUsd} max={perDayUsd} text={`${spent} of ${money(perDayUsd)}`} />
      )}
      <p className="text-xs text-ink-2">
        {sources[limit.from](perDayUsd)} {perSession(perSessionUsd)}
      </p>
      <LimitForm
        key={`${perDayUsd} ${limit.from}`}
        label="Limit for a day"
        hint="When it is reached, what runs pauses and asks you, and new messages are refused until you raise it or the day is over."
        suggested={perDayUsd}
        above={0}
        actions={[
          { says: "Set for today", do: set("today") },
          { says: "Set for good", do: set("always") },
        ]}
      />
      {failure === null ? null : (
        <div role="alert">
          <Banner title="That did not work.">{failure}</Banner>
        </div>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {perDayUsd === null ? null : (
          <Button size="sm" busy={isBusy} disabledBecause={closedBecause} onClick={lift}>
            No limit today
          </Button>
        )}
        {limit.from === "config" ? null : (
          <Button size="sm" busy={isBusy} disabledBecause={closedBecause} onClick={clear}>
            Back to config.yaml
          </Button>
        )}
      </div>
      <SpendingDays days={days} />
    </div>
  );
}

function useDayLimit() {
  const router = useRouter();
  const { say } = useShell();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, begin] = useBusy();

  const send = async (change: Promise<string>) => {
    const done = await change;
    setFailure(null);
    say(done);
    router.refresh();
  };
  const attempt = (work: () => Promise<void>) =>
    begin(async () => {
      try {
        await work();
      } catch (error) {
        setFailure(sentenceOf(error, "act"));
      }
    });
  return {
    failure,
    isBusy,
    /** Its failures are told by the form it is for. */
    set: (until: SetDayLimit["until"]) => (perDayUsd: number) => send(setDayLimit({ perDayUsd, until })),
    lift: () => attempt(() => send(setDayLimit({ perDayUsd: null, until: "today" }))),
    clear: () => attempt(() => send(clearDayLimit())),
  };
}

const amount = (perDayUsd: number | null): string => (perDayUsd === null ? "no limit" : `a limit of ${money(perDayUsd)}`);

const sources: Record<Spending["limit"]["from"], (perDayUsd: number | null) => string> = {
  today: (perDayUsd) => `Today has ${amount(perDayUsd)}, set here. It is over at midnight.`,
  always: (perDayUsd) => `Each day has ${amount(perDayUsd)}, set here; it beats config.yaml.`,
  config: (perDayUsd) => `Each day has ${amount(perDayUsd)}, as limits.perDayUsd in config.yaml says.`,
};

const perSession = (perSessionUsd: number | null): string =>
  perSessionUsd === null
    ? "A session has no limit unless you give it one."
    : `A session may cost ${money(perSessionUsd)} unless you give it another limit.`;
