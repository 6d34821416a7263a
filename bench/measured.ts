import type { BenchRow } from "./bench-row.ts";

type Unit = "ms" | "MB" | "MiB" | "KiB" | "s/min";

/** What must not be passed: an amount, so many times the baseline, or so much more than the baseline. */
type Budget = { most: number } | { times: number } | { more: number };

type Measurement = {
  name: string;
  ours: number;
  unit: Unit;
  /** What else there is to say about our amount. */
  detail?: string;
  baseline?: { value: number; of: string };
  budget: Budget;
};

/** A row of what was measured, judged by its budget. */
export function measured({ name, ours, unit, detail, baseline, budget }: Measurement): BenchRow {
  const ratio = baseline === undefined || baseline.value === 0 ? null : ours / baseline.value;
  const used = usedUp(budget, { ours, ratio, than: baseline?.value ?? 0 });
  return {
    name,
    ours: `${amount(ours, unit)}${detail === undefined ? "" : `, ${detail}`}`,
    baseline: baseline === undefined ? "" : `${amount(baseline.value, unit)} ${baseline.of}`,
    ratio,
    budget: wordsOf(budget, unit),
    used,
    holds: used <= 1,
  };
}

/** A row of something that must be so each time, or never. */
export const counted = (name: string, found: number, all: number): BenchRow => ({
  name,
  ours: all === 0 ? String(found) : `${found} of ${all}`,
  baseline: "",
  ratio: null,
  budget: all === 0 ? "none" : "all",
  used: null,
  holds: found === all,
});

/** As many digits as mean something; long times in seconds. */
export function amount(value: number, unit: Unit): string {
  if (unit === "ms" && value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  if (value === 0) return `0 ${unit}`;
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

function usedUp(budget: Budget, { ours, ratio, than }: { ours: number; ratio: number | null; than: number }): number {
  if ("most" in budget) return ours / budget.most;
  if ("more" in budget) return Math.max(0, ours - than) / budget.more;
  if (ratio === null) throw new Error("Only what is compared with something can be so many times that.");
  return ratio / budget.times;
}

function wordsOf(budget: Budget, unit: Unit): string {
  if ("times" in budget) return `≤ ${budget.times.toFixed(2)}×`;
  const whole = (value: number) => (unit === "ms" && value >= 1000 ? `${value / 1000} s` : `${value} ${unit}`);
  return "most" in budget ? `≤ ${whole(budget.most)}` : `≤ ${whole(budget.more)} more`;
}
