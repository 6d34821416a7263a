import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { allow, deny, step, work, writing } from "./stage-tools.ts";
import { setStage } from "./stage.ts";

describe.concurrent("updatedInput of an allowing hook", () => {
  it("is what runs, in a built-in tool and in one of ours; the model keeps seeing its own input", async (context) => {
    const { play, cwd } = await setStage(context, [{ tools: [writing("a.txt", "asked"), step(1)] }, { text: "Done." }]);
    const ran: unknown[] = [];
    const approved = { Write: { file_path: join(cwd, "b.txt"), content: "approved" }, mcp__work__step: { n: 2, by: "a person" } };

    const { id, shown } = await play("Go.", {
      tools: ["Write"],
      ...work((input) => `call ${ran.push(input)}`),
      gate: ({ tool_name: name }) => allow({ updatedInput: name === "Write" ? approved.Write : approved.mcp__work__step }),
    });
    const later = await play("And now?", { resume: id });

    expect(await readdir(cwd)).toEqual(["b.txt"]);
    expect(await readFile(join(cwd, "b.txt"), "utf8")).toBe("approved");
    expect(ran).toEqual([approved.mcp__work__step]);
    expect(shown[1]).toEqual([
      "user: Go.",
      "call Write a.txt asked",
      "call step 1",
      expect.stringContaining(`result of Write a.txt asked: File created successfully at: ${join(cwd, "b.txt")}`),
      "result of step 1: call 1",
    ]);
    expect(later.shown[0]?.slice(0, 5)).toEqual(shown[1]);
  });

  it("fails the call if it does not fit the schema of the tool", async (context) => {
    const { play, cwd } = await setStage(context, [{ tools: [writing("a.txt", "asked")] }, { text: "Done." }]);

    const { shown } = await play("Go.", { tools: ["Write"], gate: () => allow({ updatedInput: { content: "approved" } }) });

    expect(shown[1]?.at(-1)).toContain("PreToolUse hook for Write returned updatedInput that failed schema validation");
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe.concurrent("a denial", () => {
  it("reaches the model in the words of the hook, with a prefix for the tools of a server", async (context) => {
    const { play } = await setStage(context, [{ tools: [writing("a.txt", "asked"), step(1)] }, { text: "Done." }]);

    const { shown } = await play("Go.", { tools: ["Write"], ...work(), gate: () => deny("Not on a Sunday.") });

    expect(shown[1]?.slice(-2)).toEqual([
      "error of Write a.txt asked: Not on a Sunday.",
      "error of step 1: PreToolUse:mcp__work__step hook error: Not on a Sunday.",
    ]);
  });
});

describe.concurrent("the additionalContext of a hook", () => {
  it("follows the results in the next request, from PreToolUse and PostToolUse, and stays in the conversation", async (context) => {
    const { play } = await setStage(context, [{ tools: [step(1)] }, { text: "Done." }]);
    const afterwards: HookCallback = () =>
      Promise.resolve({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "A person left a note." } });

    const { id, shown } = await play("Go.", {
      ...work(),
      gate: () => allow({ additionalContext: "This is the approved input." }),
      hooks: { PostToolUse: [{ hooks: [afterwards] }] },
    });
    const later = await play("And now?", { resume: id });

    const context1 = "PreToolUse:mcp__work__step hook additional context: This is the approved input.";
    const context2 = "PostToolUse:mcp__work__step hook additional context: A person left a note.";
    expect(shown[1]).toEqual(["user: Go.", "call step 1", "result of step 1: did 1", `system: ${context1}\n\n${context2}`]);
    expect(later.shown[0]?.slice(0, 4)).toEqual(shown[1]);
  });
});
