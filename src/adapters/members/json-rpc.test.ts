import { describe, expect, it } from "vitest";
import { idsAtEdges, readMessage } from "./json-rpc.ts";

describe("a message", () => {
  it.each([
    [{ jsonrpc: "2.0", id: 1, result: {} }],
    [{ jsonrpc: "2.0", id: "a", error: { code: -32601, message: "no" } }],
    [{ jsonrpc: "2.0", method: "notifications/x" }],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: {} }],
  ])("is known: %j", (value) => {
    expect(readMessage(value)).toEqual(value);
  });

  it.each([
    [null],
    ["text"],
    [[]],
    [{}],
    [{ jsonrpc: "2.0" }],
    [{ jsonrpc: "1.0", id: 1, result: {} }],
    [{ jsonrpc: "2.0", id: 1, result: "text" }],
  ])("is not: %j", (value) => {
    expect(readMessage(value)).toBeNull();
  });

  it("that is too long to read names its request at one of its edges", () => {
    const head = '{"jsonrpc":"2.0","id":7,"result":{"content":[';
    const tail = '"}]},"jsonrpc":"2.0","id":8}';

    expect(idsAtEdges({ head, tail: "" })).toEqual([7]);
    expect(idsAtEdges({ head: '{"result":', tail })).toEqual([8]);
    expect(idsAtEdges({ head: '{"result":{"id":1', tail: '"id":2}]}}' })).toEqual([]);
  });
});
