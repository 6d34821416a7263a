"use client";

import { ChevronRight } from "lucide-react";
import { memo, use } from "react";
import { Icon } from "../elements/icon.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { counted } from "../../format/figures.ts";
import { useOpenRow } from "./open-rows.ts";
import { waitingLooks } from "./session-status.ts";
import { countLines, isSameCall, mainArgument, resultText, toolName } from "./tool-call.ts";
import type { ToolCall } from "./tool-call.ts";
import { ToolRowBody } from "./tool-row-body.tsx";
import { WaitContext } from "./wait-context.ts";

/** One tool call in a line; it opens to what was asked and what came back. */
export const ToolRow = memo(
  function ToolRow({ call, isLive }: { call: ToolCall; isLive: boolean }) {
    const { member, tool } = toolName(call.name);
    const [isOpen, setIsOpen] = useOpenRow(call.id);
    const answer = call.result === null ? null : resultText(call.result);
    const failed = call.result?.isError === true;
    return (
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="group border-line not-first:border-t">
        <summary className="flex h-8 list-none items-center gap-2 pr-2.5 pl-2 text-xs text-ink-3 hover:bg-hover focus-visible:-outline-offset-2 max-rail:h-11">
          <Icon of={ChevronRight} className="size-[13px] transition-[rotate] duration-(--t-base) ease-house group-open:rotate-90" />
          {member === null ? null : <MemberMonogram name={member} size={18} />}
          <code className="flex-none text-[12px] text-ink">{tool}</code>
          <span
            className={`min-w-0 flex-1 overflow-hidden font-mono text-ellipsis whitespace-nowrap ${failed ? "text-err" : "text-ink-2"}`}
          >
            {(failed && answer !== null ? answer : mainArgument(call.input)).slice(0, mostInLine)}
          </span>
          <span className="flex-none tabular-nums max-rail:hidden">
            {answer === null || failed ? "" : counted(countLines(answer), "line")}
          </span>
          <CallStatus call={call} isLive={isLive} />
        </summary>
        {isOpen ? <ToolRowBody call={call} member={member} tool={tool} answer={answer} /> : null}
      </details>
    );
  },
  (before, after) => before.isLive === after.isLive && isSameCall(before.call, after.call),
);

/** More of an argument than this is never in sight. */
const mostInLine = 300;

function CallStatus({ call, isLive }: { call: ToolCall; isLive: boolean }) {
  const waitingFor = use(WaitContext);
  if (call.result !== null) return call.result.isError ? <Status of="failed" /> : <Status of="completed" word="Done" />;
  if (isLive && waitingFor !== null) return <Status of={waitingLooks[waitingFor.kind].status} word={waitingLooks[waitingFor.kind].word} />;
  return isLive ? <Status of="running" /> : <Status of="cancelled" word="Stopped" />;
}
