import { describe, expect, it } from "vitest";
import { heldOrder } from "./held-order.ts";

const items = (ids: string) => Array.from(ids, (id) => ({ id }));
const shownIn = (order: string, now: string) => {
  const { shown, isBehind } = heldOrder(Array.from(order), items(now));
  return [shown.map(({ id }) => id).join(""), isBehind];
};

describe("the order of a list that is being read", () => {
  it("stays when something moves up or comes first, and says so", () => {
    expect(shownIn("abc", "cab")).toEqual(["abc", true]);
    expect(shownIn("abc", "xabc")).toEqual(["abc", true]);
  });

  it("goes on with what comes after it", () => {
    expect(shownIn("abc", "abcde")).toEqual(["abcde", false]);
  });

  it("leaves out what is gone", () => {
    expect(shownIn("abc", "ac")).toEqual(["ac", false]);
    expect(shownIn("abc", "")).toEqual(["", false]);
  });

  it("begins with what there is where everything else is gone", () => {
    expect(shownIn("abc", "xy")).toEqual(["xy", false]);
  });
});
