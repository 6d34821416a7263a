import { describe, expect, it } from "vitest";
import { newMessageId } from "../../../schema/ids.ts";
import type { Block, Message } from "../../../schema/session.ts";
import { sentencesOf, urgentSentence } from "./announcements.ts";

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

  it("says what a run waits for, and again that it answers when it has waited", () => {
    const asked = message("user", text("question"));
    const wait = { kind: "slot", since: "2026-01-01T00:00:00.000Z" } as const;

    const [waiting, answering] = [sentencesOf([asked], true, wait), sentencesOf([asked], true)];

    expect(waiting.map((sentence) => sentence.text)).toEqual(["Waiting for a free slot."]);
    expect(answering.map((sentence) => sentence.text)).toEqual(["Answering."]);
    expect(answering[0]?.key).not.toBe(waiting[0]?.key);
  });

  it("is said at once if the run stands still until the person acts", () => {
    const since = "2026-01-01T00:00:00.000Z";
    const atLimit = { kind: "budget", since, limit: "turns", message: "The answer has taken 3 turns, and its limit is 3." } as const;

    expect(sentencesOf([message("user", text("question"))], true, atLimit)).toEqual([]);
    expect(urgentSentence(atLimit)).toBe("The answer has taken 3 turns, and its limit is 3. It waits for you.");
    expect(urgentSentence({ kind: "slot", since })).toBeNull();
  });

  it("takes a note for no question, and does not read it out", () => {
    const note = { ...message("user", text("note")), note: { readAt: "2026-01-01T00:00:00.000Z" } };

    expect(told([message("user", text("question")), message("assistant", text("I look.")), note], true)).toEqual(["Answering."]);
  });

  it("is nothing of what was said before the last question, and of a call that never ended that it was stopped", () => {
    const messages = [message("user", text("one")), message("assistant", text("first")), message("user", text("two"))];

    expect(told(messages, false)).toEqual([]);
    expect(told([...messages, message("assistant", call)], false)).toEqual(["Tool log was stopped.", "The answer is complete."]);
  });
});
