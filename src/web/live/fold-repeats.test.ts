import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { foldRepeats } from "./fold-repeats.ts";

const said = (role: Message["role"], text: string): Message => ({
  id: newMessageId(),
  role,
  at: "2026-01-05T10:00:00.000Z",
  blocks: [{ type: "text", text }],
});

describe("what was sent again", () => {
  it("is shown once, as the last of them, with how often it was sent", () => {
    const messages = [said("user", "a"), said("assistant", "b"), said("user", "c"), said("user", "c"), said("user", "c")];
    const [first, answer, second, third, last] = messages;

    const { shown, times, standIns } = foldRepeats(messages);

    expect(shown).toEqual([first, answer, last]);
    expect([...times]).toEqual([[last?.id, 3]]);
    expect(new Map(standIns)).toEqual(
      new Map([
        [second?.id, last?.id],
        [third?.id, last?.id],
      ]),
    );
  });

  it.each([
    ["an answer between them", [said("user", "a"), said("assistant", "b"), said("user", "a")]],
    ["other words", [said("user", "a"), said("user", "b")]],
    ["an agent that says it", [said("assistant", "a"), said("assistant", "a")]],
  ])("is no repeat with %s", (_, messages) => {
    expect(foldRepeats(messages).shown).toBe(messages);
  });
});
