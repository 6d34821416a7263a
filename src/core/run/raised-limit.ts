import { HallError } from "../../schema/hall-error.ts";
import { money } from "../../schema/money.ts";
import type { Used } from "./near-limits.ts";

/** Refuses a new limit that the run would wait at again, or that would lower the limit of others. */
export function mustBeRaised(to: number, { limit, used, most }: Used): void {
  const least = Math.max(used, most ?? 0);
  if (to > least) return;
  const shown = (amount: number) => (limit === "turns" ? turnsIn(amount) : money(amount));
  const verb = limit === "turns" && used !== 1 ? "are" : "is";
  throw new HallError("conflict", `Give a limit above ${shown(least)}. It is ${shown(most ?? 0)} now, and ${shown(used)} ${verb} used.`);
}

export const turnsIn = (count: number): string => (count === 1 ? "1 turn" : `${count} turns`);
