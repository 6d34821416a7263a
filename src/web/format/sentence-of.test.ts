import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { sentenceOf } from "./sentence-of.ts";

describe("what is told of a request without an answer", () => {
  const silence = new HallError("hall_unreachable", "No hall answers at this address.");

  it.each(["act", "send"] as const)("does not deny that it arrived, for the hall may have taken it first: %s", (purpose) => {
    const sentence = sentenceOf(silence, purpose);

    expect(sentence).toMatch(/^The hall does not answer\. .*before you (ask|send it) again\.$/);
    expect(sentence).not.toMatch(/nothing was/i);
  });

  it("says that what was written is kept only where something was", () => {
    expect(sentenceOf(silence, "send")).toContain("What you wrote is still here");
    expect(sentenceOf(silence, "save")).toContain("What you wrote is still here");
    expect(sentenceOf(silence, "read")).toBe("The hall does not answer.");
  });
});
