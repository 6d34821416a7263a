import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import type { Block, Message } from "../../schema/session.ts";
import { createMessageBudget } from "../run/message-budget.ts";
import { messagesForPage } from "./messages-for-page.ts";

const stored = (blocks: Block[]): Message => ({ id: newMessageId(), role: "assistant", at: "2026-01-01T00:00:00.000Z", blocks });
const long = "x".repeat(3_000_000);

describe("a message of an earlier version on a page (SEC-15)", () => {
  it("is cut where it is too long, with sentences that say so", () => {
    const calls = Array.from({ length: 25 }, (_, at): Block[] => [
      { type: "tool_use", id: `${at}${long}`, name: long, input: { long } },
      { type: "tool_result", id: `${at}${long}`, content: long, isError: false },
    ]).flat();

    const [message] = messagesForPage([stored([{ type: "text", text: long }, ...calls])]);
    const [text, use, result] = message?.blocks ?? [];

    expect(JSON.stringify(message).length).toBeLessThan(4_100_000);
    expect(text).toMatchObject({ text: expect.stringMatching(/\[Cut here: the answer has more than 1,000,000 characters/) as string });
    expect(use).toMatchObject({ input: "[Left out: it has 3,000,011 characters, and at most 1,000,000 are shown.]" });
    expect(result).toMatchObject({ content: expect.stringMatching(/\[Cut here: the result has 3000000 characters/) as string });
    expect(use?.type === "tool_use" && result?.type === "tool_result" && use.id === result.id).toBe(true);
  });

  it("stays as it is if it was bounded when it was stored", () => {
    const budget = createMessageBudget({ use: "stored", extra: 0 });
    const calls = Array.from({ length: 60 }, (_, at): Block[] => [
      { type: "tool_use", id: `${at}`, name: "Read", input: { words: "x".repeat(400_000) } },
      { type: "tool_result", id: `${at}`, content: "y".repeat(201_000), isError: false },
    ]).flat();
    const text: Block = { type: "text", text: long };
    const message = stored([text, ...calls].flatMap((block) => budget(block)));

    expect(messagesForPage([message])).toEqual([message]);
  });
});
