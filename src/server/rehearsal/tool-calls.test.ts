import { describe, expect, it } from "vitest";
import type { RecordedRequest } from "../../scripted-model/server.ts";
import { callsIn, callsShownTo } from "./tool-calls.ts";

const at = "2026-01-01T00:00:00Z";
const expected = [
  { name: "Read", input: { file_path: "a.md" }, result: { text: "No such file.", isError: true } },
  { name: "Grep", input: {}, result: null },
];

describe("the tools that a worker's agent called", () => {
  it("are told by the worker", () => {
    expect(
      callsIn([
        { id: 1, at, type: "text", text: "I look." },
        { id: 2, at, type: "tool_use", toolUseId: "a", name: "Read", input: { file_path: "a.md" } },
        { id: 3, at, type: "tool_use", toolUseId: "b", name: "Grep", input: {} },
        { id: 4, at, type: "tool_result", toolUseId: "a", text: "No such file.", isError: true },
      ]),
    ).toEqual(expected);
  });

  it("or seen in what the model was shown, once however often it was shown them", () => {
    const calls = { role: "assistant" as const, content: [tool("a", "Read", { file_path: "a.md" }), tool("b", "Grep", {})] };
    const answer = { type: "tool_result", tool_use_id: "a", is_error: true, content: [{ type: "text", text: "No such file." }] };
    const requests = [[], [calls], [calls, { role: "user" as const, content: [answer] }]].map((messages) => shown(messages));

    expect(callsShownTo(requests)).toEqual(expected);
  });
});

const tool = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });

const shown = (messages: RecordedRequest["body"]["messages"]): RecordedRequest => ({
  number: 1,
  headers: {},
  body: { model: "scripted-model", messages },
  conversation: { model: "scripted-model", system: "", userTexts: [], step: 1, toolResults: [], tools: [] },
  ended: Promise.resolve("sent"),
});
