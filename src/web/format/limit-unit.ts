import { money } from "../../schema/money.ts";
import type { LimitKind } from "../../schema/run.ts";
import { higherLimit, readDollars } from "./dollars.ts";

/** What a limit is counted in. */
export type LimitUnit = "dollars" | "turns";

export const unitOf = (limit: LimitKind): LimitUnit => (limit === "turns" ? "turns" : "dollars");

type UnitWords = {
  /** Null if the text is no amount. */
  read: (text: string) => number | null;
  unreadable: string;
  tooLow: (used: number) => string;
  /** About twice the amount that is used, rounded. */
  higher: (used: number) => number;
};

export const limitUnits: Record<LimitUnit, UnitWords> = {
  dollars: {
    read: readDollars,
    unreadable: "Write an amount in dollars, such as 5 or 2.50.",
    tooLow: (used) => `${money(used)} is spent already. A limit has to be above that.`,
    higher: (used) => higherLimit({ limitUsd: used, spentUsd: used }),
  },
  turns: {
    read: readTurns,
    unreadable: "Write a number of turns, such as 200.",
    tooLow: (used) => `${used} ${used === 1 ? "turn is" : "turns are"} used already. A limit has to be above that.`,
    higher: (used) => Math.max(10, Math.ceil(used / 5) * 10),
  },
};

function readTurns(text: string): number | null {
  const turns = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return turns > 0 ? turns : null;
}
