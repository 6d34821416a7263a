import { describe, expect, it } from "vitest";
import { newMessageId } from "../../../schema/ids.ts";
import type { Block, Message } from "../../../schema/session.ts";
import { sentencesOf } from "./announcements.ts";

const message = (role: Message["role"], ...blocks: Block[]): Message => ({
  id: newMessageId(),
  role,
  at: "2026-01-01T00:00:00.000Z",
  blocks,
});
const text = (said: string): Block => ({ type: "text", text: said });
const call: Block = { type: "tool_use", id: "t", name: "mcp__git__log", input: {} };
const result: Block = { type: "tool_result", id: "t", content: "ok", isError: false };
const told = (messages: Message[], isRunning: boolean): string[] => sentencesOf(messages, isRunning).map((sentence) => sentence.text);

describe("what a screen reader is told of an answer", () => {
  it("is a sentence for each call and each finished text, and no text that is still arriving", () => {
    const asked = message("user", text("question"));

    expect(told([asked, message("assistant", text("I loo"))], true)).toEqual(["Answering."]);
    expect(told([asked, message("assistant", text("I look."), call)], true)).toEqual(["I look.", "Tool log is running.", "Answering."]);
    expect(told([asked, message("assistant", text("I look."), call, result), message("assistant", text("Do"))], true)).toEqual([
      "I look.",
      "Tool log is done.",
      "Answering.",
    ]);
  });

  it("ends with the whole of a short answer, and the beginning of a long one", () => {
    const asked = message("user", text("question"));

    expect(told([asked, message("assistant", text("Done."))], false)).toEqual(["Done.", "The answer is complete."]);
    expect(told([asked, message("assistant", text("word ".repeat(100)))], false)[0]).toMatch(/ and more\.$/);
  });

  it("is nothing of what was said before the last question, and of a call that never ended that it was stopped", () => {
    const messages = [message("user", text("one")), message("assistant", text("first")), message("user", text("two"))];

    expect(told(messages, false)).toEqual([]);
    expect(told([...messages, message("assistant", call)], false)).toEqual(["Tool log was stopped.", "The answer is complete."]);
  });
});
