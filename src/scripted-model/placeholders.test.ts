import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterTool, asking } from "./ask-model.fixture.ts";
import { readConversation } from "./conversation.ts";
import { fillPlaceholders } from "./placeholders.ts";

const conversation = readConversation(afterTool("find it", { name: "Glob", result: "\n a.md \nb.md\n" }, { tools: [{ name: "Glob" }] }));

describe("placeholders", () => {
  it("are filled in in text", () => {
    const reply = fillPlaceholders(
      { text: "{{user}}, {{ firstUser }}: {{toolResult.firstLine}} of {{toolResult.lineCount}} with {{tools}} on {{model}}" },
      conversation,
    );

    expect(reply.text).toBe("find it, find it: a.md of 2 with Glob on claude-test");
  });

  it("are filled in at any depth of a tool's input", () => {
    const input = { path: "{{toolResult.firstLine}}", deep: [{ path: "{{toolResult.firstLine}}", count: 1, none: null }] };

    const reply = fillPlaceholders({ tools: [{ name: "Read", input }] }, conversation);

    expect(reply.tools?.[0]?.input).toEqual({ path: "a.md", deep: [{ path: "a.md", count: 1, none: null }] });
  });

  it("put in whatever was said exactly as it was said", () => {
    fc.assert(
      fc.property(fc.constantFrom("$&", "{{model}}", "$1", "\\", '"'), fc.string(), (awkward, more) => {
        const said = `x${more}${awkward}x`;

        const reply = fillPlaceholders({ text: "<{{user}}>" }, readConversation(asking(said)));

        expect(reply.text).toBe(`<${said}>`);
      }),
    );
  });
});
