import { describe, expect, it } from "vitest";
import { newMessageId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";
import { textSaidUpTo } from "./text-said.ts";

const said = (role: Message["role"], ...texts: string[]): Message => ({
  id: newMessageId(),
  role,
  at: "2026-01-01T00:00:00.000Z",
  blocks: texts.map((text) => ({ type: "text", text })),
});

describe("what is copied of what was said", () => {
  const messages = [said("user", "one"), said("user", "again"), said("assistant", "a", "b"), said("assistant"), said("assistant", "c")];
  const textAt = (index: number): string => textSaidUpTo(messages, messages[index]?.id ?? newMessageId());

  it("is all that an answer says, down to where it is copied", () => {
    expect(textAt(4)).toBe("a\n\nb\n\nc");
    expect(textAt(2)).toBe("a\n\nb");
  });

  it("goes on behind a note, which is no part of it", () => {
    const note = { ...said("user", "a note"), note: { readAt: "2026-01-01T00:00:01.000Z" } };
    const withNote = [said("user", "one"), said("assistant", "a"), note, said("assistant", "b")];

    expect(textSaidUpTo(withNote, withNote[3]?.id ?? newMessageId())).toBe("a\n\nb");
    expect(textSaidUpTo(withNote, note.id)).toBe("a note");
  });

  it("is one message of a person's", () => {
    expect(textAt(1)).toBe("again");
  });
});
