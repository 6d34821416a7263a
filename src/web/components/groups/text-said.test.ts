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

  it("is one message of a person's", () => {
    expect(textAt(1)).toBe("again");
  });
});
