import type { DiskUsage } from "../../../schema/disk.ts";
import { counted } from "../../format/figures.ts";
import { Code } from "../elements/code.tsx";

/** How long sessions are kept, and where that is changed. */
export function Retention({ retention }: { retention: DiskUsage["retention"] }) {
  const { completedSessionDays, inactiveSessionDays } = retention;
  return (
    <div className="mt-4">
      <h3 className="text-md font-medium">How long sessions are kept</h3>
      <ul className="mt-1 list-disc pl-5 text-ink-2">
        <li>{sentence("Completed sessions", completedSessionDays)}</li>
        <li>{sentence("Sessions in which nothing happens", inactiveSessionDays)}</li>
      </ul>
      <p className="mt-2 mb-1.5 text-xs text-ink-3">
        To change it, write this into config.yaml in the home folder, with your own figures, and start the hall again. Null keeps them.
      </p>
      <Code label="Lines for config.yaml">
        {`retention:\n  completedSessionDays: ${completedSessionDays ?? "null"}\n  inactiveSessionDays: ${inactiveSessionDays ?? "null"}`}
      </Code>
    </div>
  );
}

const sentence = (which: string, days: number | null): string =>
  days === null ? `${which} are kept until you delete them.` : `${which} are deleted with their files after ${counted(days, "day")}.`;
