import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect } from "./collect.testing.ts";
import { newMessageId } from "../schema/ids.ts";
import type { Block, Message } from "../schema/session.ts";
import { sessionWith } from "../schema/session.testing.ts";
import { contained, sessionMarkdown, fenced } from "./session-document.ts";

const message = (role: Message["role"], ...blocks: Block[]): Message => ({
  id: newMessageId(),
  role,
  at: "2026-01-02T03:04:05.000Z",
  blocks,
});

const asItIs = (text: string): string => text;

async function* inOrder(...messages: Message[]): AsyncGenerator<Message> {
  yield* messages;
}

describe("a session as Markdown", () => {
  it("has front matter, a heading per message, and tools folded", async () => {
    const session = sessionWith({ name: "Plan: the *trip*", members: ["example"], messageCount: 2, costUsd: 0.25 });
    const messages = inOrder(
      message("user", { type: "text", text: "Look around." }),
      message(
        "assistant",
        { type: "text", text: "I look." },
        { type: "tool_use", id: "t1", name: "Glob", input: { pattern: "*" } },
        { type: "tool_result", id: "t1", content: [{ type: "text", text: "context.md" }, { type: "image" }], isError: false },
      ),
    );

    const text = (await collect(sessionMarkdown(session, messages, asItIs))).join("");

    expect(text).toBe(`---
id: "${session.id}"
name: "Plan: the *trip*"
status: "idle"
createdAt: "2026-01-01T00:00:00.000Z"
lastActivityAt: "2026-01-01T00:00:00.000Z"
members: ["example"]
model: null
messageCount: 2
costUsd: 0.25
---

# Plan: the \\*trip\\*

## You · 2026-01-02T03:04:05.000Z

Look around.

## Agent · 2026-01-02T03:04:05.000Z

I look.

<details>
<summary>Tool call: Glob</summary>

\`\`\`json
{
  "pattern": "*"
}
\`\`\`

</details>

<details>
<summary>Result: Glob</summary>

\`\`\`text
context.md
[image]
\`\`\`

</details>
`);
  });

  it("has everything that somebody else wrote made clean", async () => {
    const evil = message("assistant", { type: "text", text: "a!b" });

    const text = (await collect(sessionMarkdown(sessionWith({ name: "n!" }), inOrder(evil), (words) => words.replaceAll("!", "?")))).join(
      "",
    );

    expect(text).not.toContain("!");
    expect(text).toContain("a?b");
  });
});

describe("a fence", () => {
  it("is longer than every run of backticks in what it holds", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("`", "```", "\n", "a", "~~~"), { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        const [first = "", ...rest] = fenced(text, "text").split("\n");
        const fence = first.replace("text", "");

        expect(rest.at(-1)).toBe(fence);
        expect(text.includes(fence)).toBe(false);
      }),
    );
  });
});

describe("what was said", () => {
  it.each([
    ["closes a block of code left open", "Look:\n````js\nlet a;\n```", "Look:\n````js\nlet a;\n```\n````"],
    ["leaves a closed block alone", "~~~\n<b>\n# x\n~~~\nend", "~~~\n<b>\n# x\n~~~\nend"],
    ["shows HTML as text", "<!-- \n <details>\n1 < 2", "&lt;!-- \n &lt;details>\n1 < 2"],
    ["puts its headings below those of messages", "# A\n## Agent · now\n### C\n#tag", "### A\n#### Agent · now\n### C\n#tag"],
    ["takes inline code for no fence", "```a``` b\n# c", "```a``` b\n### c"],
  ])("%s", (_what, said, kept) => {
    expect(contained(said)).toBe(kept);
  });
});
