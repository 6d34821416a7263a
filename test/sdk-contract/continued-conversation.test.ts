import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { withoutMarks } from "./show-request.ts";
import { allow, look, park, step, work } from "./stage-tools.ts";
import { setStage, until } from "./stage.ts";

describe.concurrent("a conversation that another process continues", () => {
  it("is sent again exactly as before it was parked, so that the provider's cache still fits", async (context) => {
    const reading = { name: "Read", input: { file_path: "notes.txt" } };
    const replies = [
      { tools: [look(2), look(1), reading] },
      { text: "I go on.", tools: [step(3)] },
      { tools: [step(4)] },
      { text: "Done." },
    ];
    const { play, model, cwd } = await setStage(context, replies);
    await writeFile(join(cwd, "notes.txt"), "a note\n".repeat(1000));
    const second = Promise.withResolvers<string>();
    const tools = () => ({
      tools: ["Read"],
      ...work(({ n }) => {
        if (n === 1) second.resolve("did 2");
        return n === 2 ? second.promise : `did ${String(n)}`;
      }),
    });

    const { id } = await play("Go.", { ...tools(), gate: ({ tool_input: { n } }) => (n === 4 ? park("Ask later.") : allow()) });
    await play("And now?", { ...tools(), resume: id });

    const [before, after] = model.requests.slice(-2).map(({ body: { messages, ...rest } }) => ({ messages: withoutMarks(messages), rest }));
    expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
    expect(after?.rest).toEqual(before?.rest);
  });

  it("keeps the system prompt of its first process, unless the new process sets snapshot: false", async (context) => {
    const { play, model } = await setStage(context, [{ text: "Yes." }]);
    const prompt = (text: string, snapshot: boolean) => ({ systemPrompt: { type: "custom", prompt: text, snapshot } }) as const;

    const { id } = await play("One.", prompt("The first rules.", true));
    await play("Two.", { ...prompt("The second rules.", true), resume: id });
    await play("Three.", { ...prompt("The third rules.", false), resume: id });

    const systems = model.requests.map(({ conversation }) => conversation.system.match(/The \w+ rules/)?.[0]);
    expect(systems).toEqual(["The first rules", "The first rules", "The third rules"]);
  });

  it("starts to count maxTurns again", async (context) => {
    const { play } = await setStage(context, [{ tools: [step(1)] }]);

    const first = await play("Go.", { ...work(), maxTurns: 2 });
    const second = await play("Go on.", { ...work(), maxTurns: 2, resume: first.id });

    for (const { result, error, shown } of [first, second]) {
      expect(result).toMatchObject({ subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns", num_turns: 3 });
      expect(error).toBe("Claude Code returned an error result: Reached maximum number of turns (2)");
      expect(shown).toHaveLength(2);
    }
  });

  it("starts to count maxBudgetUsd again, although total_cost_usd adds up", async (context) => {
    const { play } = await setStage(context, [{ tools: [step(1)], usage: { inputTokens: 1000, outputTokens: 100 } }]);

    const first = await play("Go.", { ...work(), maxBudgetUsd: 0.01 });
    const second = await play("Go on.", { ...work(), maxBudgetUsd: 0.01, resume: first.id });

    for (const { result, shown } of [first, second]) {
      expect(result).toMatchObject({ subtype: "error_max_budget_usd", is_error: true, terminal_reason: "budget_exhausted" });
      expect(shown).toHaveLength(2);
    }
    const [one = 0, two = 0] = [first, second].map(({ result }) => result?.total_cost_usd);
    expect(two).toBeCloseTo(2 * one);
  });

  it("ignores a message whose uuid it has, without a result, and stays open until the host closes it", async (context) => {
    const { play, start } = await setStage(context, [{ text: "Yes." }]);
    const message: SDKUserMessage = {
      type: "user",
      message: { role: "user", content: "Go." },
      parent_tool_use_id: null,
      uuid: randomUUID(),
    };
    const { id } = await play([message], work());

    const run = start([message], { ...work(), resume: id });
    await until(() => run.messages.length > 0);
    const isOpen = await Promise.race([run.played.then(() => false), sleep(1000, true)]);
    run.query.close();
    const { messages, error, shown } = await run.played;

    expect(isOpen).toBe(true);
    expect(messages).toEqual([expect.objectContaining({ type: "command_lifecycle", command_uuid: message.uuid, state: "completed" })]);
    expect([error, shown]).toEqual([null, []]);
  });
});
