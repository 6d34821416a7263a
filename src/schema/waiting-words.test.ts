import { describe, expect, it } from "vitest";
import { wordsForWaiting } from "./waiting-words.ts";

const since = "2026-01-01T12:00:00.000Z";

describe("the words for a wait", () => {
  it("name what the run waits for, and repeat the sentence of a limit of its own", () => {
    const message = "The answer has cost $1.00, and its limit is $1.00.";

    expect(wordsForWaiting({ kind: "limit", since, until: since })).toBe("Waiting until the model's usage limit resets.");
    expect(wordsForWaiting({ kind: "slot", since })).toBe("Waiting for a free slot.");
    expect(wordsForWaiting({ kind: "budget", since, limit: "run", message })).toBe(message);
  });
});
