import { expect, it } from "vitest";
import { memberOffer } from "./member-offer.ts";

it.each([
  [1, ["tools"], "1 tool"],
  [0, ["tools"], "0 tools"],
  [0, ["worker"], "takes jobs"],
  [2, ["tools", "worker"], "2 tools"],
])("a member with %s tools and %s offers: %s", (toolCount, capabilities, words) => {
  expect(memberOffer({ toolCount, capabilities })).toBe(words);
});
