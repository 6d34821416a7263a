import type { ConnectionStep } from "../../../schema/roster.ts";
import { durationOf } from "../../format/duration.ts";
import { visibleText } from "../../format/visible-text.ts";
import { Status } from "../elements/status.tsx";
import type { StatusName } from "../elements/status.tsx";

/** How far a member came on its way to being connected. */
export const MemberSteps = ({ steps }: { steps: readonly ConnectionStep[] }) => (
  <ol aria-label="Steps of the connection" className="divide-y divide-line rounded-3 border border-line bg-surface">
    {steps.map((step) => (
      <li
        key={step.name}
        className="grid grid-cols-[150px_minmax(0,1fr)_auto] items-baseline gap-x-3 px-3.5 py-2 max-rail:grid-cols-[minmax(0,1fr)_auto]"
      >
        <span className="inline-flex self-start pt-0.5">
          <Status of={looks[step.state]} word={words[step.name]} />
          <span className="sr-only">: {says[step.state]}</span>
        </span>
        <span className="min-w-0 text-xs text-ink-2 [overflow-wrap:anywhere] max-rail:col-span-2 max-rail:row-start-2">
          {step.detail === null ? says[step.state] : visibleText(step.detail)}
        </span>
        <span className="text-xs text-ink-3 tabular-nums max-rail:col-start-2 max-rail:row-start-1">
          {step.durationMs === null ? "" : durationOf(step.durationMs)}
        </span>
      </li>
    ))}
  </ol>
);

const words: Record<ConnectionStep["name"], string> = {
  spawned: "Program started",
  listening: "Listening",
  handshake: "Handshake",
  tools: "Tools listed",
};

const looks: Record<ConnectionStep["state"], StatusName> = { waiting: "queued", doing: "running", done: "completed", failed: "failed" };

const says: Record<ConnectionStep["state"], string> = { waiting: "not yet", doing: "now", done: "done", failed: "failed" };
