import { describe, expect, it } from "vitest";
import { createStderrTail } from "./stderr-tail.ts";

const limit = 64 * 1024;

describe("the tail of what a member writes", () => {
  it("keeps everything while it is little", () => {
    const tail = createStderrTail();

    tail.mark("--- started ---");
    tail.add("one\ntw");
    tail.add("o\n");

    expect(tail.read()).toEqual({ text: "--- started ---\none\ntwo\n", truncated: false });
  });

  it.each([1, 7, 5000, 300_000])("keeps exactly the last 64 KiB of a flood in pieces of %i", (size) => {
    const tail = createStderrTail();
    const flood = Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join("");

    for (let at = 0; at < flood.length; at += size) tail.add(flood.slice(at, at + size));

    expect(tail.read()).toEqual({ text: flood.slice(-limit), truncated: true });
  });

  it("begins a mark on a line of its own, and does not take it for the member's words", () => {
    const tail = createStderrTail();

    tail.add("half a line");
    tail.mark("--- started ---");

    expect(tail.read().text).toBe("half a line\n--- started ---\n");
    expect(tail.lastLine()).toBeNull();
  });

  it.each([
    ["first\nlast\n\n  \n", "last"],
    ["\u001b[31mred\u001b[0m\r\n", "red"],
    ["before\rafter", "beforeafter"],
    [`${"x".repeat(5000)}`, `${"x".repeat(299)}…`],
    ["Error: no token\n    at main (server.js:1:7) {\n  code: 'NO_TOKEN'\n}\n\nNode.js v24.21.0\n", "Error: no token"],
    ["Node.js v24.21.0\n", "Node.js v24.21.0"],
    ["", null],
  ])("has a last line that fits into a sentence", (written, last) => {
    const tail = createStderrTail();

    tail.add(written);

    expect(tail.lastLine()).toBe(last);
  });
});
