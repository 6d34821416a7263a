import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { safeText } from "../safe-text.ts";
import { createAnswerPrinter } from "./answer-printer.ts";

const [first, second] = [newMessageId(), newMessageId()];
const text = (messageId: typeof first, chunk: string): SessionEvent => ({ event: "text", data: { messageId, text: chunk } });

async function print(events: readonly SessionEvent[], { isJson = false } = {}) {
  const said = { out: "", err: "" };
  let isCounting = false;
  const countdownAfter: boolean[] = [];
  const note = (line: string) => void (said.err += `${line}\n`);
  const printer = { isJson, result: () => undefined, progress: note, warn: note, hasColour: false };
  const output = { clean: safeText, write: async (piece: string) => void (said.out += piece) };
  const waitLine = {
    async show({ kind }: WaitingFor) {
      note(`waits: ${kind}`);
      isCounting = kind === "limit";
    },
    end: () => void (isCounting = false),
  };
  const answer = createAnswerPrinter({ printer, output, waitLine });
  for (const event of events) {
    await answer.take(event);
    countdownAfter.push(isCounting);
  }
  await answer.end();
  return { ...said, countdownAfter };
}

describe("an answer in a terminal", () => {
  it("goes on as it comes, with an empty line between messages and everything else beside it", async () => {
    const said = await print([
      { event: "status", data: { status: "running", retry: { attempt: 2, inMs: 1500, reason: "overloaded" } } },
      text(first, "I lo"),
      text(first, "ok."),
      { event: "tool_use", data: { messageId: first, id: "t1", name: "Read", input: { path: "a" } } },
      { event: "tool_result", data: { messageId: first, id: "t1", content: "one\ntwo", isError: true } },
      text(second, "Done."),
      { event: "usage", data: { inputTokens: 10, outputTokens: 2, costUsd: 0.5, turns: 1 } },
      { event: "done", data: {} },
    ]);

    expect(said.out).toBe("I look.\n\nDone.\n");
    expect(said.err).toBe(
      'Trying again in 2 s (attempt 2): overloaded\n→ Read {"path":"a"}\n← Read failed: one (2 lines)\n10 tokens in, 2 out, 1 turn, $0.50\n',
    );
  });

  it("is broken off by lines about waits, notes and limits that are near", async () => {
    const at = "2026-01-01T12:00:00.000Z";
    const said = await print([
      text(first, "I look"),
      { event: "waiting", data: { waitingFor: { kind: "slot", since: at } } },
      { event: "resumed", data: {} },
      { event: "near_limit", data: { limit: "turns", message: "8 of 10 turns are used." } },
      { event: "note", data: { messageId: second, text: "Be\u001b[2J brief.", readAt: at } },
      { event: "done", data: {} },
    ]);

    expect(said).toMatchObject({
      out: "I look\n",
      err: "waits: slot\nIt resumes.\n8 of 10 turns are used.\nThe agent has read your note: Be\\u{1b}[2J brief.\n",
    });
  });

  it("ends a countdown where it prints something, and not at other events", async () => {
    const [since, until] = ["2026-01-01T12:00:00.000Z", "2026-01-01T14:00:00.000Z"];
    const said = await print([
      { event: "waiting", data: { waitingFor: { kind: "limit", since, until } } },
      { event: "usage", data: { inputTokens: 10, outputTokens: 2, costUsd: 0.5, turns: 1, isEstimate: true } },
      { event: "status", data: { status: "running" } },
      { event: "resumed", data: {} },
      { event: "waiting", data: { waitingFor: { kind: "limit", since, until } } },
      { event: "status", data: { status: "running" } },
      text(first, "Hello."),
    ]);

    expect(said.countdownAfter).toEqual([true, true, true, false, true, true, false]);
  });

  it("cannot steer the terminal, not even with a sequence cut in two", async () => {
    const said = await print([
      text(first, "a\u001b"),
      text(first, "[2Jb \u001b[3"),
      text(first, "1mred\r"),
      text(first, "\n\ud83d"),
      text(first, "\ude00\u009b"),
      { event: "tool_use", data: { messageId: first, id: "t1", name: "x\u001b]0;y\u0007", input: {} } },
      { event: "tool_result", data: { messageId: first, id: "t1", content: "\u001b[2J", isError: false } },
    ]);

    expect(said.out).toBe("a\\u{1b}[2Jb red\n😀\\u{9b}\n");
    expect(said.err).toBe("→ x\\u{1b}]0;y\\u{7} {}\n← x\\u{1b}]0;y\\u{7}: \\u{1b}[2J\n");
  });

  it("is not on stdout before the one document of --json", async () => {
    expect((await print([text(first, "Hello")], { isJson: true })).out).toBe("");
  });
});
