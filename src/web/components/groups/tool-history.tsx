"use client";

import { ChevronRight } from "lucide-react";
import { durationOf } from "../../format/duration.ts";
import type { ToolCall } from "../../../schema/tool-call.ts";
import { Button } from "../elements/button.tsx";
import { ClockTime } from "../elements/clock-time.tsx";
import { Icon } from "../elements/icon.tsx";
import { JsonCode } from "../elements/json-code.tsx";
import { Status } from "../elements/status.tsx";

type ToolHistoryProps = {
  calls: readonly ToolCall[];
  hasMore: boolean;
  isUnread: boolean;
  isRunning: boolean;
  onMore: () => void;
  onRun: (call: ToolCall) => void;
  onLoad: (call: ToolCall) => void;
};

/** Calls that people made of this tool, newest first. What was answered is not kept, only how it went. */
export function ToolHistory({ calls, hasMore, isUnread, isRunning, onMore, onRun, onLoad }: ToolHistoryProps) {
  return (
    <section aria-labelledby="tool-history" className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-baseline gap-2">
        <h2 id="tool-history">Earlier runs</h2>
        {calls.length === 0 ? null : <span className="text-ink-3">kept by the hall</span>}
      </div>
      {calls.length === 0 ? (
        <p className="text-ink-2">{isUnread ? "The hall could not be asked for earlier runs." : "Nobody has run this tool by hand yet."}</p>
      ) : (
        <div className="overflow-hidden rounded-2 border border-line bg-surface">
          {calls.map((call) => (
            <HistoryRow key={call.id} call={call}>
              <Button
                size="sm"
                {...(isRunning ? { disabledBecause: "A call is running. Wait for it, or stop it." } : {})}
                onClick={() => onRun(call)}
              >
                Run again
              </Button>
              <Button size="sm" variant="ghost" onClick={() => onLoad(call)}>
                Load into the form
              </Button>
            </HistoryRow>
          ))}
        </div>
      )}
      {hasMore ? (
        <Button size="sm" variant="ghost" className="justify-self-start" onClick={onMore}>
          Show older ones
        </Button>
      ) : null}
    </section>
  );
}

function HistoryRow({ call, children }: { call: ToolCall; children: React.ReactNode }) {
  const { input, at, outcome } = call;
  const failed = outcome?.isError === true;
  return (
    <details className="group border-line not-first:border-t">
      <summary className="flex h-8 list-none items-center gap-2 pr-2.5 pl-2 text-xs text-ink-3 hover:bg-hover focus-visible:-outline-offset-2 max-rail:h-11">
        <Icon of={ChevronRight} className="size-[13px] transition-[rotate] duration-(--t-base) ease-house group-open:rotate-90" />
        <span className={`min-w-0 flex-1 overflow-hidden font-mono text-ellipsis whitespace-nowrap ${failed ? "text-err" : "text-ink-2"}`}>
          {(failed ? outcome.summary : mainPart(input)).slice(0, 200)}
        </span>
        <ClockTime at={at} />
        {failed ? <Status of="failed" /> : <Status of="completed" word="OK" />}
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 pr-2.5 pb-2.5 pl-[29px] text-xs text-ink-3">
        <span>Input</span>
        <JsonCode label="Input" value={input} className="max-h-[200px]" />
        {outcome === null ? null : (
          <p className="[overflow-wrap:anywhere]">
            {outcome.isError ? "Failed" : "Answered"} after {durationOf(outcome.durationMs)}:{" "}
            <span className="text-ink-2">{outcome.summary}</span>
          </p>
        )}
        <div className="flex flex-wrap gap-2">{children}</div>
      </div>
    </details>
  );
}

/** The first words in it say most; figures and the rest are told only where there are none. */
const mainPart = (input: ToolCall["input"]): string =>
  Object.values(input)
    .find((value) => typeof value === "string" && value !== "")
    ?.toString() ?? JSON.stringify(input);
