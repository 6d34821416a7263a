import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterTool, asking } from "./ask-model.fixture.ts";
import { readConversation } from "./conversation.ts";
import { matchCondition, matchesWildcard } from "./match-condition.ts";
import type { ModelRequest } from "./model-request.ts";
import type { Condition } from "./script.ts";

const tools = [{ name: "Read" }, { name: "Write" }];
const first = asking("Please read it", { system: "You are a clerk.", tools });
const second = afterTool("Please read it", { name: "Read", result: "The letter", isError: false }, { tools });
const failed = afterTool("Please read it", { name: "Read", result: "No such file", isError: true }, { tools });

const cases: [Condition, ModelRequest, boolean][] = [
  [{}, first, true],
  [{ systemContains: "a CLERK" }, first, true],
  [{ systemContains: "a smith" }, first, false],
  [{ userContains: ["write", "read"] }, first, true],
  [{ userContains: "write" }, first, false],
  [{ userMatches: "please * it" }, first, true],
  [{ userMatches: "please" }, first, false],
  [{ toolResultContains: "letter" }, first, false],
  [{ toolResultContains: "letter" }, second, true],
  [{ toolFailed: false }, first, false],
  [{ toolFailed: false }, second, true],
  [{ toolFailed: true }, second, false],
  [{ toolFailed: true }, failed, true],
  [{ afterTool: ["Write", "Read"] }, second, true],
  [{ afterTool: "Write" }, second, false],
  [{ toolOffered: "Write" }, first, true],
  [{ toolOffered: "Bash" }, first, false],
  [{ toolNotOffered: "Bash" }, first, true],
  [{ toolNotOffered: ["Bash", "Read"] }, first, false],
  [{ step: 1 }, first, true],
  [{ step: 2 }, second, true],
  [{ step: 1 }, second, false],
  [{ userMessage: 1 }, second, true],
  [{ userMessage: 2 }, second, false],
  [{ step: 2, userContains: "write" }, second, false],
];

describe("a condition", () => {
  it.each(cases)("%j", (condition, request, expected) => {
    const result = matchCondition(condition, readConversation(request));

    expect(result).toBe(expected);
  });
});

describe("a pattern with wildcards", () => {
  it("agrees with the regular expression it stands for", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", ".", "$"), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (text, pattern) => {
        const subject = text.replaceAll("*", "c");
        const escaped = pattern.replaceAll(".", "\\.").replaceAll("$", "\\$").replaceAll("*", ".*");
        const reference = new RegExp(`^${escaped}$`, "s");

        expect(matchesWildcard(subject, pattern)).toBe(reference.test(subject));
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays fast where a regular expression would not end", () => {
    const pattern = `${"*a".repeat(5_000)}b`;

    expect(matchesWildcard("a".repeat(100_000), pattern)).toBe(false);
  });
});
