import { expect, it } from "vitest";
import { mustBeRaised } from "./raised-limit.ts";

it("a new limit has to be above the present one and above what is used, and is refused with both", () => {
  expect(() => mustBeRaised(1, { limit: "day", used: 12, most: 20 })).toThrow(
    "Give a limit above $20.00. It is $20.00 now, and $12.00 is used.",
  );
  expect(() => mustBeRaised(5, { limit: "turns", used: 5, most: 3 })).toThrow(
    "Give a limit above 5 turns. It is 3 turns now, and 5 turns are used.",
  );
  expect(() => mustBeRaised(6, { limit: "turns", used: 5, most: 3 })).not.toThrow();
  expect(() => mustBeRaised(0.5, { limit: "run", used: 0.1, most: null })).not.toThrow();
});
