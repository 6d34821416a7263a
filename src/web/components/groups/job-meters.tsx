import type { JobUsage } from "../../../schema/job.ts";
import { money } from "../../../schema/money.ts";
import { counted } from "../../format/figures.ts";
import { Meter } from "../elements/meter.tsx";

type JobMeterProps = { usage: JobUsage | null | undefined; compact?: boolean };

/** How many turns a job has taken, of those it may take. */
export function TurnsMeter({ usage, compact = false }: JobMeterProps) {
  if (usage === null || usage === undefined) return <Unknown compact={compact} label="Turns" />;
  const { turns, maxTurns } = usage;
  if (maxTurns === null) return <Plain compact={compact} label="Turns" text={counted(turns, "turn")} />;
  return <Meter label="Turns" value={turns} max={maxTurns} text={`${turns} of ${maxTurns}${compact ? " turns" : ""}`} compact={compact} />;
}

/** What a job has cost, of what it may cost. */
export function CostMeter({ usage, compact = false }: JobMeterProps) {
  if (usage === null || usage === undefined) return <Unknown compact={compact} label="Cost" />;
  const { costUsd, maxBudgetUsd } = usage;
  if (maxBudgetUsd === null) return <Plain compact={compact} label="Cost" text={money(costUsd)} />;
  return <Meter label="Cost" value={costUsd} max={maxBudgetUsd} text={`${money(costUsd)} of ${money(maxBudgetUsd)}`} compact={compact} />;
}

/** Without a limit there is nothing to measure against. */
const Plain = ({ label, text, compact }: { label: string; text: string; compact: boolean }) => (
  <div className="flex items-center justify-between gap-2 text-xs text-ink-2 tabular-nums">
    <span className={compact ? "sr-only" : ""}>{label}</span>
    <span className={compact ? "" : "font-medium text-ink"}>{text}</span>
  </div>
);

const Unknown = ({ label, compact }: { label: string; compact: boolean }) => <Plain label={label} text="not told" compact={compact} />;
