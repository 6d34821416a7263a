import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { pauseOf } from "./pause-of.ts";

const now = "2026-01-01T12:00:00.000Z";
const until = "2026-01-01T14:00:00.000Z";
const words = (limit: string): string => `It reached its limit of ${limit}.`;
const ended = { refused: null, resumes: 0, resumesAtReset: true, words, now };
const failed = (code: "budget" | "max_turns" | "model_rate_limited" | "stopped", more: { resetsAt?: string } = {}) =>
  ({ outcome: "failed", code, message: "It failed.", ...more }) as const;

const refusal = (limit: "session" | "day", spentUsd: number, limitUsd: number) =>
  new HallError("budget", "It is used up. Raise it, and send again.", { details: { limit, spentUsd, limitUsd } });

describe("the pause after a process ended", () => {
  it("lasts until the usage limit resets, three times at most, and only if it should", () => {
    const ending = failed("model_rate_limited", { resetsAt: until });

    expect(pauseOf({ ...ended, ending, resumes: 2 })).toEqual({ kind: "limit", since: now, until });
    expect(pauseOf({ ...ended, ending, resumes: 3 })).toBeNull();
    expect(pauseOf({ ...ended, ending, resumesAtReset: false })).toBeNull();
    expect(pauseOf({ ...ended, ending: failed("model_rate_limited") })).toBeNull();
  });

  it("lasts until a person decides at the run's own limit", () => {
    const at = { kind: "budget", since: now };

    expect(pauseOf({ ...ended, ending: failed("max_turns") })).toEqual({ ...at, limit: "turns", message: words("turns") });
    expect(pauseOf({ ...ended, ending: failed("budget") })).toEqual({ ...at, limit: "run", message: words("run") });
  });

  it("says what a shared limit is, without the advice to send again", () => {
    const pause = (refused: HallError) => pauseOf({ ...ended, ending: failed("stopped"), refused });

    expect(pause(refusal("session", 1, 1))).toMatchObject({
      limit: "session",
      message: "The session has cost $1.00, and its limit is $1.00.",
    });
    expect(pause(refusal("day", 2, 2))).toMatchObject({ limit: "day", message: "Today has cost $2.00, and the limit is $2.00 a day." });
    expect(pause(refusal("day", 1.5, 2))).toMatchObject({
      message: "Today has cost $1.50 of $2.00, and the other runs may use up the rest.",
    });
  });

  it("does not come after an end that no decision changes", () => {
    expect(pauseOf({ ...ended, ending: { outcome: "completed", text: "Done." } })).toBeNull();
    expect(pauseOf({ ...ended, ending: failed("stopped") })).toBeNull();
  });
});
