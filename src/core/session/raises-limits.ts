import type { Limits } from "../../schema/session.ts";

/** The hall's own limits, for sessions that set none. Null is no limit. */
export type HallLimits = { maxTurns: number; maxBudgetUsd: number | null; perSessionUsd: number | null };

/** Whether `after` lets a session spend or do more than `before`, in any of its limits. */
export function raisesLimits(before: Limits, after: Limits, hall: HallLimits): boolean {
  const [from, to] = [inForce(before, hall), inForce(after, hall)];
  return to.some((limit, index) => limit > (from[index] ?? Infinity));
}

const inForce = (own: Limits, { maxTurns, maxBudgetUsd, perSessionUsd }: HallLimits): number[] => [
  own.maxTurns ?? maxTurns,
  own.maxBudgetUsd ?? maxBudgetUsd ?? Infinity,
  own.maxCostUsd ?? perSessionUsd ?? Infinity,
];
