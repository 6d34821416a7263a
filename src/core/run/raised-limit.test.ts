import { expect, it } from "vitest";
import { mustBeRaised } from "./raised-limit.ts";

it("a new limit has to be above the present one and above what is used, and is refused with both", () => {
  expect(() => mustBeRaised(1, { limit: "day", used: 12, most: 20 })).toThrow(
    "The limit is $20.00 and $12.00 are used, so $1.00 is no higher limit.",
  );
  expect(() => mustBeRaised(5, { limit: "turns", used: 5, most: 3 })).toThrow(
    "The limit is 3 turns and 5 turns are used, so 5 turns is no higher limit.",
  );
  expect(() => mustBeRaised(6, { limit: "turns", used: 5, most: 3 })).not.toThrow();
  expect(() => mustBeRaised(0.5, { limit: "run", used: 0.1, most: null })).not.toThrow();
});
