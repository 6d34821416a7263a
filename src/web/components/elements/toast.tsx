import type { ReactNode } from "react";
import { Status } from "./status.tsx";
import type { StatusName } from "./status.tsx";

/** One sentence about something that just happened. What it says can always be found elsewhere too. */
export function Toast({ status, children, action }: { status: StatusName; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex max-w-105 items-center gap-2.5 rounded-3 border border-line-strong bg-raised px-3 py-2.5 shadow-2 [--glyph:var(--raised)]">
      <Status of={status} word="" />
      <span className="flex-1">{children}</span>
      {action}
    </div>
  );
}
