import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("text of a program", () => {
  it("loses the colours of a terminal and keeps its lines", () => {
    expect(visibleText("\u001b[1;32mready\u001b[0m\r\n\tgo")).toBe("ready\n\tgo");
  });

  it("shows other escapes, and what turns or hides text, as signs", () => {
    expect(visibleText("\u001b[2Jx")).toBe("[U+001B][2Jx");
    expect(visibleText("evil\u202etxt.exe\u200b")).toBe("evil[U+202E]txt.exe[U+200B]");
    expect(visibleText("bell\u0007 \ud800")).toBe("bell[U+0007] [U+D800]");
  });

  it("keeps writing of every kind as it is", () => {
    expect(visibleText("größe 漢字 عربي 🙂")).toBe("größe 漢字 عربي 🙂");
  });

  it("never holds a control character but tab and new line", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x2100 })), (codes) => {
        expect(visibleText(String.fromCodePoint(...codes))).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
    );
  });
});
