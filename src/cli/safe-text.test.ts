import { describe, expect, it } from "vitest";
import { jsonText, plainText, quoted, safeText } from "./safe-text.ts";

describe("somebody else's text on a terminal", () => {
  it.each([
    ["plain ünïcode 猫\n\ttext", "plain ünïcode 猫\n\ttext"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007", "\\u{1b}]0;title\\u{7}"],
    ["one\r\ntwo\rthree", "one\ntwo\\u{d}three"],
    ["\u202etxt.exe", "\\u{202e}txt.exe"],
    ["zero\u200bwidth", "zero\\u{200b}width"],
    ["tags\u{e0041}\u{e007f}", "tags\\u{e0041}\\u{e007f}"],
    ["variant\u{e0101}", "variant\\u{e0101}"],
    ["fillers\u3164\uffa0", "fillers\\u{3164}\\u{ffa0}"],
  ])("%j is shown as %j", (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it("is exact in a file or a pipe, but for control characters", () => {
    expect(plainText("👩\u200d🚀 \u202eabc\r\n\u001b[31mred\u009b \ud83d")).toBe("👩\u200d🚀 \u202eabc\n\\u{1b}[31mred\\u{9b} \\u{d83d}");
  });

  it("is exact in a JSON document, which shows nothing unseen as it is", () => {
    const document = { text: "a\u001b[2J\u009b\u202e👩\u200d🚀\u{e0041}\n" };

    expect(jsonText(document)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u{e0041}]/u);
    expect(JSON.parse(jsonText(document))).toEqual(document);
  });

  it("shows where an argument begins and ends", () => {
    expect(["a b", '"', "", "line\nbreak", "\u001b[2J"].map(quoted)).toEqual(['"a b"', '"\\""', '""', '"line\\nbreak"', '"\\u001b[2J"']);
  });
});
