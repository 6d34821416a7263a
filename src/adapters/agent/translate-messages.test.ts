import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { createTranslator } from "./translate-messages.ts";

function translateAll(messages: readonly unknown[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const translate = createTranslator((event) => events.push(event));
  // Messages as they come off the wire, with only the fields that are read.
  for (const message of messages) translate(message as SDKMessage);
  return events;
}

const partial = (event: unknown, parent: string | null = null) => ({ type: "stream_event", event, parent_tool_use_id: parent });
const begin = (id: string) => partial({ type: "message_start", message: { id } });
const chunk = (text: string) => partial({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const whole = (id: string, content: unknown[], more: object = {}) => ({
  type: "assistant",
  message: { id, model: "claude", content },
  parent_tool_use_id: null,
  ...more,
});
const text = (words: string) => ({ type: "text", text: words });

describe("text", () => {
  it("is taken from the stream, and a whole message adds nothing to it", () => {
    const events = translateAll([begin("m1"), chunk("Good "), chunk("day"), whole("m1", [text("Good day")])]);

    expect(events).toEqual([
      { type: "text", responseId: "m1", text: "Good " },
      { type: "text", responseId: "m1", text: "day" },
    ]);
  });

  it("is not said twice where it is too long to be compared", () => {
    const long = "x".repeat(1_000_000);

    const events = translateAll([begin("m1"), chunk(long), chunk(long), chunk(long), whole("m1", [text(long.repeat(3))])]);

    expect(events.map((event) => (event.type === "text" ? event.text.length : event.type))).toEqual([1_000_000, 1_000_000, 1_000_000]);
  });

  it("is taken from the whole message where no stream delivered it, and completed where one delivered a part", () => {
    const events = translateAll([whole("m1", [text("Unstreamed.")]), begin("m2"), chunk("Half"), whole("m2", [text("Half and half")])]);

    expect(events).toEqual([
      { type: "text", responseId: "m1", text: "Unstreamed." },
      { type: "text", responseId: "m2", text: "Half" },
      { type: "text", responseId: "m2", text: " and half" },
    ]);
  });

  it("that ends inside a character in one chunk waits for the rest of it, and is what is stored", () => {
    const wave = "\ud83d\udc4b";
    const chunks = ["Hi ", "\ud83d", "\udc4b\ud83d", "", "\udc4b!"];
    const streamed = translateAll([begin("m1"), ...chunks.map(chunk), whole("m1", [text(`Hi ${wave}${wave}!`)])]);
    const completed = translateAll([begin("m1"), chunk("Hi \ud83d"), whole("m1", [text(`Hi ${wave}`)])]);

    expect(streamed.map((event) => (event.type === "text" ? event.text : event.type))).toEqual(["Hi ", wave, `${wave}!`]);
    expect(completed.map((event) => (event.type === "text" ? event.text : event.type))).toEqual(["Hi ", wave]);
  });

  it("with half a character is sent with a sign in its place, as soon as the other half can no longer come", () => {
    const stop = partial({ type: "content_block_stop", index: 0 });
    const streamed = translateAll([
      begin("m1"),
      chunk("a\udc4bb \ud83d"),
      whole("m1", [text("a\udc4bb \ud83d")]),
      stop,
      chunk("\udc4b"),
      stop,
    ]);
    const unfinished = translateAll([begin("m1"), chunk("\ud83d"), stop, whole("m2", [text("\ud83d")])]);
    const tools = translateAll([
      whole("m1", [{ type: "tool_use", id: "t", name: "a\ud83d", input: { "\ud83d": ["\ud83d"] } }]),
      {
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: "t", content: [text("\ud83d")] }] },
        parent_tool_use_id: null,
      },
    ]);

    expect(streamed.map((event) => (event.type === "text" ? event.text : event.type))).toEqual(["a\ufffdb ", "\ufffd", "\ufffd"]);
    expect(unfinished.map((event) => (event.type === "text" ? event.text : event.type))).toEqual(["\ufffd", "broken_off", "\ufffd"]);
    expect(tools).toEqual([
      { type: "tool_use", responseId: "m1", id: "t", name: "a\ufffd", input: { "\ufffd": ["\ufffd"] } },
      { type: "tool_result", id: "t", content: [text("\ufffd")], isError: false },
    ]);
  });

  it("of several blocks of one response is joined in order", () => {
    const events = translateAll([
      begin("m1"),
      chunk("First. "),
      whole("m1", [text("First. ")]),
      chunk("Second."),
      whole("m1", [text("Second.")]),
      whole("m1", [{ type: "tool_use", id: "t1", name: "look", input: { at: 1 } }]),
    ]);

    expect(events).toEqual([
      { type: "text", responseId: "m1", text: "First. " },
      { type: "text", responseId: "m1", text: "Second." },
      { type: "tool_use", responseId: "m1", id: "t1", name: "look", input: { at: 1 } },
    ]);
  });

  it("of a response that is begun again under the same id belongs to another response", () => {
    const events = translateAll([begin("m1"), chunk("Lost"), begin("m1"), chunk("Found"), whole("m1", [text("Found")])]);

    expect(events).toEqual([
      { type: "text", responseId: "m1", text: "Lost" },
      { type: "broken_off", responseId: "m1" },
      { type: "text", responseId: "m1.2", text: "Found" },
    ]);
  });

  it("of a response that ended is no broken one, whoever follows it", () => {
    const end = partial({ type: "message_delta", delta: { stop_reason: "end_turn" } });
    const more = partial({ type: "message_delta", delta: { stop_reason: null } });

    const complete = [begin("m1"), chunk("Whole."), end];
    const half = [begin("m2"), chunk("Half"), more, partial({ type: "message_stop" })];
    const events = translateAll([complete, half, whole("m3", [text("Unstreamed.")]), begin("m4"), chunk("Last."), end].flat());

    expect(events.filter(({ type }) => type === "broken_off")).toEqual([{ type: "broken_off", responseId: "m2" }]);
  });

  it("that words a failed call is not taken for the model's", () => {
    const events = translateAll([
      whole("m1", [text("API Error")], { error: "server_error" }),
      {
        type: "assistant",
        message: { id: "m2", model: "<synthetic>", content: [text("No response requested.")] },
        parent_tool_use_id: null,
      },
    ]);

    expect(events).toEqual([]);
  });

  it("that came before any response is dropped, and so is that of a helper of the agent", () => {
    const events = translateAll([
      chunk("stray"),
      begin("m1"),
      partial({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "inner" } }, "t1"),
    ]);

    expect(events).toEqual([]);
  });
});

describe("other messages", () => {
  it("become results, retries and usage; what is unknown is passed over", () => {
    const events = translateAll([
      { type: "system", subtype: "init", model: "claude", tools: ["Read"] },
      { type: "system", subtype: "init", model: "claude", tools: ["Read"] },
      { type: "system", subtype: "something_new" },
      { type: "brand_new" },
      { type: "user", message: { content: "only words" }, parent_tool_use_id: null },
      {
        type: "user",
        message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "4", is_error: true }] },
        parent_tool_use_id: null,
      },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t2" }] }, parent_tool_use_id: null },
      { type: "system", subtype: "api_retry", attempt: 2, retry_delay_ms: 512.4, error_status: 529, error: "overloaded" },
      { type: "system", subtype: "api_retry", attempt: 3, retry_delay_ms: 9, error_status: null, error: "server_error" },
      {
        type: "result",
        subtype: "success",
        is_error: false,
        num_turns: 3,
        total_cost_usd: 9,
        model_usage_since_last_result: {
          a: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4, costUSD: 0.5 },
          b: { inputTokens: 10, outputTokens: 20, costUSD: 0.25 },
        },
      },
    ]);

    expect(events).toEqual([
      { type: "started", model: "claude", tools: ["Read"] },
      { type: "tool_result", id: "t1", content: "4", isError: true },
      { type: "tool_result", id: "t2", content: "", isError: false },
      { type: "retry", attempt: 2, inMs: 512, reason: "overloaded (529)" },
      { type: "retry", attempt: 3, inMs: 9, reason: "server_error" },
      { type: "usage", inputTokens: 18, outputTokens: 22, costUsd: 0.75, turns: 3 },
    ]);
  });
});
