import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asking, eventsIn } from "./ask-model.fixture.ts";
import type { Event } from "./ask-model.fixture.ts";
import { chunksOf, encodeEvent, streamEvents, wholeMessage } from "./message-stream.ts";
import type { Reply } from "./reply.ts";

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom("😀", "👩‍🚀", "\n", "\r", "\u2028", "data:"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
});
const anySize = fc.integer({ min: 1, max: 40 });

describe("pieces of a text", () => {
  it("are the text when they are joined, and none is empty", () => {
    fc.assert(
      fc.property(anyText, anySize, (text, size) => {
        const chunks = chunksOf(text, size);

        expect(chunks.join("")).toBe(text);
        expect(chunks).not.toContain("");
      }),
    );
  });

  it("never end inside a character, so each can be sent by itself", () => {
    fc.assert(
      fc.property(anyText, anySize, (text, size) => {
        const chunks = chunksOf(text, size);

        expect(chunks.every((chunk) => chunk.isWellFormed())).toBe(true);
      }),
    );
  });

  it("have the size that was asked for, or one more to keep a character whole", () => {
    fc.assert(
      fc.property(anyText, anySize, (text, size) => {
        const sizes = chunksOf(text, size).map((chunk) => chunk.length);

        expect(sizes.every((length) => length <= size + 1)).toBe(true);
      }),
    );
  });
});

describe("the stream of an answer", () => {
  it("carries any text unchanged over the wire", () => {
    fc.assert(
      fc.property(anyText, anySize, (text, chunkSize) => {
        const events = overTheWire({ text, chunkSize });

        expect(textIn(events)).toBe(text);
      }),
    );
  });

  it("carries any tool input unchanged over the wire", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anyText), anySize, (input, chunkSize) => {
        const events = overTheWire({ tools: [{ name: "Write", input }], chunkSize });

        expect(JSON.parse(jsonIn(events))).toEqual({ ...input });
      }),
    );
  });

  it("opens and closes its message and each of its blocks in order", () => {
    const events = overTheWire({ text: "ab", tools: [{ name: "A" }, { name: "B", rawInput: "{" }], chunkSize: 1 });

    expect(events.map((event) => event.type).filter((type) => type !== "content_block_delta")).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_stop",
      "content_block_start",
      "content_block_stop",
      "content_block_start",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events.find((event) => event.type === "message_delta")).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });

  it("replaces half a surrogate pair in a script, which no stream can carry", () => {
    const events = overTheWire({ text: "a\ud83d" });

    expect(textIn(events)).toBe("a\ufffd");
  });
});

describe("a whole answer", () => {
  it("reports the usage of the script", () => {
    const usage = { inputTokens: 1_000, outputTokens: 20, cacheReadTokens: 3, cacheWriteTokens: 4 };

    const message = wholeMessage({ text: "x", usage }, asking("hi"));

    expect(message.usage).toEqual({ input_tokens: 1_000, output_tokens: 20, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 });
  });

  it("gives each tool call an id of its own", () => {
    const message = wholeMessage({ tools: [{ name: "A" }, { name: "A" }] }, asking("hi"));

    const ids = message.content.map((block) => (block.type === "tool_use" ? block.id : ""));
    expect(new Set(ids).size).toBe(2);
  });
});

const overTheWire = (reply: Reply): Event[] =>
  eventsIn(
    streamEvents(reply, asking("hi"))
      .map((event) => encodeEvent(event.data))
      .join(""),
  );

const textIn = (events: Event[]): string =>
  deltasIn(events)
    .map((delta) => delta.text ?? "")
    .join("");
const jsonIn = (events: Event[]): string =>
  deltasIn(events)
    .map((delta) => delta.partial_json ?? "")
    .join("");

const deltasIn = (events: Event[]): { text?: string; partial_json?: string }[] =>
  events.filter((event) => event.type === "content_block_delta").map((event) => event["delta"] ?? {});
