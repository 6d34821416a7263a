import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../../schema/error-code.ts";
import { waysOn } from "./ways-on.ts";

describe("the ways on after a query that did not end well", () => {
  it.each<[ErrorCode, boolean, string[]]>([
    ["stopped", true, ["continue"]],
    ["stopped", false, ["again"]],
    ["interrupted", false, ["again"]],
    ["budget", true, ["continue"]],
    ["model_overloaded", true, ["continue", "again"]],
    ["model_overloaded", false, ["again"]],
  ])("%s, with an answer: %s", (code, hasAnswer, ways) => {
    expect(waysOn(code, hasAnswer)).toEqual(ways);
  });
});
