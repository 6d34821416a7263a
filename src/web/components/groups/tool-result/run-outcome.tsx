"use client";

import { memo, useEffect, useState } from "react";
import type { Member } from "../../../../schema/roster.ts";
import { durationOf } from "../../../format/duration.ts";
import { runFailureOf } from "../../../tool-form/run-failure.ts";
import { Banner } from "../../elements/banner.tsx";
import { ClockTime } from "../../elements/clock-time.tsx";
import { Status } from "../../elements/status.tsx";
import { RestartMemberButton } from "../restart-member-button.tsx";
import type { ToolRun } from "../../../live/use-tool-run.ts";
import { fileNameOf } from "../../../live/download.ts";
import { answerSize, ToolResult } from "./tool-result.tsx";

type RunOutcomeProps = { run: ToolRun; member: Pick<Member, "name" | "displayName">; tool: string };

/** How the last call went, and what came of it. An answer may be large, and is not drawn again while somebody types beside it. */
export const RunOutcome = memo(function RunOutcome({ run, member, tool }: RunOutcomeProps) {
  const head = (
    <div className="flex flex-wrap items-baseline gap-x-2.5">
      <h2 id="tool-result">Result</h2>
      <span role="status" className="flex flex-wrap items-baseline gap-x-2.5">
        <Headline run={run} />
      </span>
    </div>
  );
  return (
    <section aria-labelledby="tool-result" className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {run.state === "answered" ? (
        <ToolResult key={run.at} head={head} answer={run.answer} fileName={`${member.name}-${fileNameOf(tool, "tool")}`} />
      ) : (
        <>
          {head}
          <WithoutAnswer run={run} member={member} />
        </>
      )}
    </section>
  );
});

function Headline({ run }: { run: ToolRun }) {
  if (run.state === "none") return null;
  if (run.state === "running") return <Status of="running" />;
  if (run.state === "stopped") return <Status of="cancelled" word="Stopped" />;
  if (run.state === "failed") return <Status of="failed" word="No answer" />;
  const { answer } = run;
  return (
    <>
      {answer.isError ? <Status of="failed" /> : <Status of="completed" word="OK" />}
      <span className="text-ink-3 tabular-nums">
        {answerSize(answer)}, {durationOf(answer.durationMs)}, <ClockTime at={run.at} />
      </span>
    </>
  );
}

type WithoutAnswerProps = { run: Exclude<ToolRun, { state: "answered" }>; member: Pick<Member, "name" | "displayName"> };

function WithoutAnswer({ run, member }: WithoutAnswerProps) {
  if (run.state === "none") return <p className="text-ink-2">What the tool answers appears here.</p>;
  if (run.state === "running") return <Waiting key={run.at} at={run.at} />;
  if (run.state === "stopped")
    return <p className="text-ink-2">You stopped it after {durationOf(run.afterMs)}. What the tool had done by then is done.</p>;
  const { title, next, offersRestart } = runFailureOf(run.failure);
  return (
    <Banner title={title} action={offersRestart ? <RestartMemberButton member={member} /> : null}>
      {next}
    </Banner>
  );
}

/** How long it has been, for the eye only: a reader is told when it ends. */
function Waiting({ at }: { at: string }) {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setElapsed(Date.now() - Date.parse(at)), 200);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <p className="text-ink-2 tabular-nums" aria-live="off">
      Waiting for the answer, {durationOf(elapsed)} so far. Esc stops it.
    </p>
  );
}
