import { describe, expect, it } from "vitest";
import { createLimitWarnings } from "./near-limits.ts";
import type { Used } from "./near-limits.ts";

const turns = (used: number): Used => ({ limit: "turns", used, most: 5 });
const wordsOf = (...limits: Used[]): string[] =>
  createLimitWarnings()
    .of(limits)
    .map(({ message }) => message);

describe("the warnings of limits", () => {
  it("name what is used and the limit, from four fifths on", () => {
    expect(wordsOf(turns(3))).toEqual([]);
    expect(wordsOf(turns(4))).toEqual(["4 of 5 turns are used."]);
    expect(
      wordsOf(
        { limit: "run", used: 0.81, most: 1 },
        { limit: "session", used: 8, most: 10 },
        { limit: "day", used: 19.5, most: 20 },
        { limit: "turns", used: 7, most: 10 },
      ),
    ).toEqual([
      "$0.81 of the $1.00 for this run is used.",
      "$8.00 of the $10.00 for this session is used.",
      "$19.50 of the $20.00 for today is used.",
    ]);
  });

  it("are not given for a limit that is reached or passed, nor if there is none", () => {
    expect(wordsOf(turns(5))).toEqual([]);
    expect(wordsOf(turns(6))).toEqual([]);
    expect(wordsOf({ limit: "run", used: 100, most: null })).toEqual([]);
  });

  it("are given once per limit, and again after a reset", () => {
    const warnings = createLimitWarnings();
    const first = warnings.of([turns(4)]);
    const repeated = warnings.of([turns(4), { limit: "run", used: 0.9, most: 1 }]);
    warnings.reset();

    const after = warnings.of([turns(4)]);

    expect(first.map(({ limit }) => limit)).toEqual(["turns"]);
    expect(repeated.map(({ limit }) => limit)).toEqual(["run"]);
    expect(after).toEqual(first);
  });
});
