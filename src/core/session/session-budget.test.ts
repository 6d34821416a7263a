import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionWith } from "../../schema/session.testing.ts";
import type { SpentToday } from "../run/spending.ts";
import { budgetOf, mayCost, refusal } from "./session-budget.ts";

const spent = (costUsd: number, perDayUsd: number | null, isEstimate = false): SpentToday => ({
  day: "2026-01-05",
  costUsd,
  isEstimate,
  limit: { perDayUsd, from: "config" },
});

const others = { costUsd: 0, setAsideUsd: 0 };

describe("a query", () => {
  it("is let through where nobody set a limit, or none is reached", () => {
    const session = sessionWith({ costUsd: 1.99, limits: { maxCostUsd: 2 } });

    expect(refusal({ session: sessionWith({ costUsd: 1e6 }), today: spent(1e6, null), others, perSessionUsd: null })).toBeNull();
    expect(refusal({ session, today: spent(4.99, 5), others, perSessionUsd: 1 })).toBeNull();
  });

  it("is refused in a session that has cost its own limit, in words that say how to go on", () => {
    const session = sessionWith({ name: "Parsers", costUsd: 2.004, limits: { maxCostUsd: 2 } });

    const error = refusal({ session, today: spent(0, null), others, perSessionUsd: 100 });

    expect(error).toMatchObject({ code: "budget", details: { limit: "session", limitUsd: 2, spentUsd: 2.004 } });
    expect(error?.message).toBe(
      'Session "Parsers" has cost $2.00, and its limit is $2.00. Raise the limit in the session\'s settings, or with `guild-hall session limit`, and send again.',
    );
  });

  it("is refused by the limit for all sessions where a session has none of its own", () => {
    expect(refusal({ session: sessionWith({ costUsd: 3 }), today: spent(0, null), others, perSessionUsd: 3 })?.code).toBe("budget");
  });

  it("is refused when the day has cost its limit, and an estimate is called one", () => {
    const exact = refusal({ session: sessionWith(), today: spent(5.2, 5), others, perSessionUsd: null });
    const guess = refusal({ session: sessionWith(), today: spent(0.004, 0.003, true), others, perSessionUsd: null });

    expect(exact?.message).toBe(
      "Today's queries have cost $5.20, and the limit is $5.00 a day. Raise it for today in the settings, or with `guild-hall limit`, and send again, or wait until tomorrow.",
    );
    expect(guess?.message).toContain("have cost an estimated $0.0040, and the limit is $0.0030 a day");
  });

  it("is refused where those that run may use up the rest, and one that is running is told what all have cost", () => {
    const running = { costUsd: 0.25, setAsideUsd: 0.5 };
    const close = refusal({ session: sessionWith(), today: spent(4.5, 5), others: running, perSessionUsd: null });
    const over = refusal({ session: sessionWith(), today: spent(4.8, 5), others: running, perSessionUsd: null });

    expect(refusal({ session: sessionWith(), today: spent(4, 5), others: running, perSessionUsd: null })).toBeNull();
    expect(close?.message).toBe(
      "Today's queries have cost $4.75 of $5.00 a day, and those that run may use up the rest. Wait until they have ended, or raise the limit for today in the settings or with `guild-hall limit`, and send again.",
    );
    expect(close).toMatchObject({ details: { limit: "day", limitUsd: 5, spentUsd: 4.75 } });
    expect(over?.message).toContain("have cost $5.05, and the limit is $5.00 a day");
  });

  it("may cost what is left of the nearest limit, and something is left exactly where it is not refused", () => {
    const money = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({ cost: money, day: money, costUsd: money, setAsideUsd: money }),
        fc.option(money),
        fc.option(money),
        fc.option(money),
        ({ cost, day, ...running }, perDayUsd, perSessionUsd, perQuery) => {
          const question = { session: sessionWith({ costUsd: cost }), today: spent(day, perDayUsd), others: running, perSessionUsd };

          const budget = budgetOf(question, perQuery);

          expect(budget === null || budget > 0).toBe(refusal(question) === null);
          expect(budget ?? Infinity).toBeLessThanOrEqual(mayCost(question, perQuery) ?? Infinity);
          expect(budget ?? Infinity).toBeLessThanOrEqual(perQuery ?? Infinity);
        },
      ),
    );
  });
});
