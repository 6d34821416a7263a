import { expect, it } from "vitest";
import { memberHref } from "./member-href.ts";

it("a tool's name is one step of an address, whatever is in it", () => {
  expect(memberHref("git", "diff")).toBe("/roster/git/diff");
  expect(memberHref("git", "a/b?c#d")).toBe("/roster/git/a%2Fb%3Fc%23d");
});

it("a tool whose name fits in no address leads to its member", () => {
  expect(["..", ".", "", "a\nb", "a\\b"].map((tool) => memberHref("git", tool))).toEqual(Array.from({ length: 5 }, () => "/roster/git"));
});
