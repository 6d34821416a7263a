import { describe, expect, it } from "vitest";
import { base64Size, extensionOf, fileNameOf } from "./download.ts";

describe("the name of a file that a tool made", () => {
  it.each([
    ["example://made/outline.md", "outline.md"],
    ["file:///etc/passwd?x=1#y", "passwd"],
    ["https://example.org/a%20b/c d.txt", "c-d.txt"],
    ["file:///../../.bashrc", "bashrc"],
    ["made:..\\..\\evil.exe", "made-..-..-evil.exe"],
    ["", "fallback"],
    ["///", "fallback"],
    [`x/${"a".repeat(300)}.txt`, `${"a".repeat(76)}.txt`],
  ])("of %s is %s", (uri, expected) => {
    expect(fileNameOf(uri, "fallback")).toBe(expected);
  });
});

describe("the size of what came as Base64", () => {
  it.each(["", "a", "ab", "abc", "abcd", "ü"])("of %j is that of its bytes", (text) => {
    const bytes = Buffer.from(text);

    expect(base64Size(bytes.toString("base64"))).toBe(bytes.length);
  });
});

describe("the extension of a kind of file", () => {
  it.each([
    ["image/png", "png"],
    ["image/svg+xml", "svg"],
    ["audio/x-wav; codecs=1", "x-wav"],
    ["nonsense", "bin"],
    ["image/../../x", "bin"],
  ])("of %s is %s", (mimeType, expected) => {
    expect(extensionOf(mimeType)).toBe(expected);
  });
});
