import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prefaceOpening } from "../core/agent/preface-opening.ts";
import { afterTool, asking } from "./ask-model.fixture.ts";
import { readConversation } from "./conversation.ts";
import type { Message } from "./model-request.ts";

const said = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const answered = (...calls: string[]): Message => ({
  role: "assistant",
  content: calls.map((id) => ({ type: "tool_use", id, name: `tool-${id}`, input: {} })),
});
const returned = (...ids: string[]): Message => ({
  role: "user",
  content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: `result ${id}` }] })),
});
const system: Message = { role: "system", content: "# Environment" };

describe("the step of a conversation", () => {
  it("is one more than the answers since the person last spoke, however long the conversation is", () => {
    const rounds = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rounds, (roundsOfTools) => {
        const messages = roundsOfTools.flatMap((count, index) => [
          said(`message ${index}`),
          ...Array.from({ length: count }, (_, round) => [answered(`${index}-${round}`), returned(`${index}-${round}`)]).flat(),
          ...(index === roundsOfTools.length - 1 ? [] : [answered()]),
        ]);

        const conversation = readConversation(asking("", { messages }));

        expect(conversation.step).toBe((roundsOfTools.at(-1) ?? 0) + 1);
        expect(conversation.userTexts).toHaveLength(roundsOfTools.length);
      }),
    );
  });

  it("does not change with system entries among the messages, wherever they stand", () => {
    const messages = [said("hi"), answered("a"), returned("a")];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: messages.length }), (at) => {
        const conversation = readConversation(asking("", { messages: messages.toSpliced(at, 0, system) }));

        expect(conversation).toMatchObject({ step: 2, userTexts: ["hi"], toolResults: [{ name: "tool-a", text: "result a" }] });
      }),
    );
  });

  it.each([
    "[Request interrupted by user]",
    "[Your previous response had no visible output. Please continue.]",
    "[structured-output-enforce] You MUST call the StructuredOutput tool.",
    "Output token limit hit. Resume directly — no apology.",
    "Your response above was cut off mid-stream. Resume directly from where it stops.",
    "Your response above was stopped by a safety classifier — this is not an error.",
    "<system-reminder>\nbe brief\n</system-reminder>",
  ])("goes on after a note that the agent program sends in the person's place: %s", (note) => {
    const conversation = readConversation(asking("", { messages: [said("hi"), answered(), said(note)] }));

    expect(conversation).toMatchObject({ step: 2, userTexts: ["hi"] });
  });
});

describe("what a conversation tells", () => {
  it("leaves reminders out of what the person wrote", () => {
    const conversation = readConversation(asking("<system-reminder>a</system-reminder>before <system-reminder>b</system-reminder>after"));

    expect(conversation.userTexts).toEqual(["before after"]);
  });

  it("counts what the hall puts before a message among the system prompt", () => {
    const content = [`${prefaceOpening}\n\nThe file.`, "hi"].map((text) => ({ type: "text", text }));

    const conversation = readConversation(asking("", { system: "You are a clerk.", messages: [{ role: "user", content }] }));

    expect(conversation).toMatchObject({ system: `You are a clerk.\n${prefaceOpening}\n\nThe file.`, userTexts: ["hi"], step: 1 });
  });

  it("has all results of the last round of tools, with the names of their tools", () => {
    const messages = [said("hi"), answered("a"), returned("a"), answered("b", "c"), returned("b", "c")];

    const conversation = readConversation(asking("", { messages }));

    expect(conversation.toolResults).toEqual([
      { name: "tool-b", text: "result b", isError: false },
      { name: "tool-c", text: "result c", isError: false },
    ]);
  });

  it("has no tool results any more once the person spoke again", () => {
    const earlier = afterTool("hi", { name: "Read", result: "secret" }).messages;

    const conversation = readConversation(asking("", { messages: [...earlier, said("and now?")] }));

    expect(conversation.toolResults).toEqual([]);
  });

  it("joins the system prompt with the system entries among the messages", () => {
    const conversation = readConversation(
      asking("", { system: [{ type: "text", text: "You are a clerk." }], messages: [said("hi"), system] }),
    );

    expect(conversation.system).toBe("You are a clerk.\n# Environment");
  });
});
