import { ChevronRight } from "lucide-react";
import { Code } from "../elements/code.tsx";
import { Icon } from "../elements/icon.tsx";
import { JsonCode } from "../elements/json-code.tsx";
import { MemberMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { counted } from "../../format/figures.ts";
import { OpenToolLink } from "./open-tool-link.tsx";
import { mainArgument, resultText, toolName } from "./tool-call.ts";
import type { ToolCall } from "./tool-call.ts";

/** One tool call in a line; it opens to what was asked and what came back. */
export function ToolRow({ call, isLive }: { call: ToolCall; isLive: boolean }) {
  const { member, tool } = toolName(call.name);
  const answer = call.result === null ? null : resultText(call.result.content);
  const failed = call.result?.isError === true;
  return (
    <details className="group border-line not-first:border-t">
      <summary className="flex h-8 list-none items-center gap-2 pr-2.5 pl-2 text-xs text-ink-3 hover:bg-hover focus-visible:-outline-offset-2 max-rail:h-11">
        <Icon of={ChevronRight} className="size-[13px] transition-[rotate] duration-(--t-base) ease-house group-open:rotate-90" />
        {member === null ? null : <MemberMonogram name={member} size={18} />}
        <code className="flex-none text-[12px] text-ink">{tool}</code>
        <span className={`min-w-0 flex-1 overflow-hidden font-mono text-ellipsis whitespace-nowrap ${failed ? "text-err" : "text-ink-2"}`}>
          {failed && answer !== null ? answer : mainArgument(call.input)}
        </span>
        <span className="flex-none tabular-nums max-rail:hidden">
          {answer === null || failed ? "" : counted(answer.split("\n").length, "line")}
        </span>
        <CallStatus call={call} isLive={isLive} />
      </summary>
      <div className="grid gap-1.5 pr-2.5 pb-2.5 pl-[29px] text-xs text-ink-3">
        <span className="flex items-baseline">
          Arguments
          {member === null ? null : <OpenToolLink member={member} tool={tool} />}
        </span>
        <JsonCode label={`Arguments of ${tool}`} value={call.input} className="max-h-[150px]" />
        {call.result === null ? null : (
          <>
            <span>{failed ? "Error" : "Result"}</span>
            {answer === null ? (
              <JsonCode label={`Result of ${tool}`} value={call.result.content} className="max-h-[300px]" />
            ) : (
              <Code label={`Result of ${tool}`} className="max-h-[300px]">
                {answer}
              </Code>
            )}
          </>
        )}
      </div>
    </details>
  );
}

function CallStatus({ call, isLive }: { call: ToolCall; isLive: boolean }) {
  if (call.result !== null) return call.result.isError ? <Status of="failed" /> : <Status of="completed" word="Done" />;
  return isLive ? <Status of="running" /> : <Status of="cancelled" word="Stopped" />;
}
