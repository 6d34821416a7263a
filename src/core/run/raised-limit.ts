import { HallError } from "../../schema/hall-error.ts";
import { money } from "../../schema/money.ts";
import type { Used } from "./near-limits.ts";

/** Refuses a new limit that the run would wait at again, or that would lower the limit of others. */
export function mustBeRaised(to: number, { limit, used, most }: Used): void {
  if (to > Math.max(used, most ?? 0)) return;
  const shown = (amount: number) => (limit === "turns" ? turnsIn(amount) : money(amount));
  throw new HallError(
    "conflict",
    `The limit is ${shown(most ?? 0)} and ${shown(used)} ${used === 1 ? "is" : "are"} used, so ${shown(to)} is no higher limit.`,
  );
}

export const turnsIn = (count: number): string => (count === 1 ? "1 turn" : `${count} turns`);
