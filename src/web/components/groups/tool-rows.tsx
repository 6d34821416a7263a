import { ChevronRight } from "lucide-react";
import { Icon } from "../elements/icon.tsx";
import { ToolRow } from "./tool-row.tsx";
import type { ToolCall } from "./tool-call.ts";

/** More calls in a row than this fold into one line. */
const mostInSight = 6;

/** Tool calls that followed one another share a box. */
export function ToolRows({ calls, isLive }: { calls: readonly ToolCall[]; isLive: boolean }) {
  const rows = calls.map((call) => <ToolRow key={call.id} call={call} isLive={isLive} />);
  return (
    <div className="my-2.5 overflow-hidden rounded-2 border border-line bg-surface">
      {calls.length <= mostInSight || isLive ? (
        rows
      ) : (
        <details className="group/all">
          <summary className="flex h-8 list-none items-center gap-2 px-2 text-xs text-ink-2 hover:bg-hover focus-visible:-outline-offset-2 max-rail:h-11">
            <Icon of={ChevronRight} className="size-[13px] group-open/all:rotate-90" />
            {summaryOf(calls)}
          </summary>
          {rows}
        </details>
      )}
    </div>
  );
}

function summaryOf(calls: readonly ToolCall[]): string {
  const failed = calls.filter(({ result }) => result?.isError === true).length;
  return failed === 0 ? `${calls.length} calls` : `${calls.length} calls, ${failed} failed`;
}
