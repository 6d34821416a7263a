import { describe, expect, it } from "vitest";
import { nothingUsed } from "../../schema/usage.ts";
import { withQuery } from "./session-usage.ts";

const usage = { inputTokens: 100, outputTokens: 20, costUsd: 0.5, turns: 2 };

describe("what a session has used", () => {
  it("is the sum of its queries, and what the last one took", () => {
    const once = withQuery(nothingUsed, { usage, said: 1 });

    expect(withQuery(once, { usage: { ...usage, outputTokens: 5 }, said: 1 })).toEqual({
      inputTokens: 200,
      outputTokens: 25,
      last: { ...usage, outputTokens: 5 },
    });
  });

  it.each([
    ["told nothing", undefined],
    ["told of nothing", { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 2 }],
  ])("is not known of an answer that broke off and %s", (_, told) => {
    const once = withQuery(nothingUsed, { usage, said: 1 });

    expect(withQuery(once, { usage: told, said: 1 })).toEqual({ ...once, last: null });
  });

  it("stays as it is after a query that never began", () => {
    const once = withQuery(nothingUsed, { usage, said: 1 });

    expect(withQuery(once, { said: 0 })).toEqual(once);
  });
});
