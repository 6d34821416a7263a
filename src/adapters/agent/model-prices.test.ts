import { query } from "@anthropic-ai/claude-agent-sdk";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { eventsOf, setStage, stageTool } from "./agent-stage.testing.ts";
import { childEnvironment } from "./child-environment.ts";
import { createEventChannel } from "./event-channel.ts";
import { estimateCost, modelPrices } from "./model-prices.ts";

const usage = { inputTokens: 1_000, outputTokens: 2_000, cacheReadTokens: 30_000, cacheWriteTokens: 4_000, cacheWriteHourTokens: 1_500 };
const tokens = { input: 1_000, output: 2_000, cacheRead: 30_000, cacheWrite: 2_500, cacheWriteHour: 1_500 };
const longUsage = { ...usage, cacheReadTokens: 120_000 };
const longTokens = { ...tokens, cacheRead: 120_000 };

describe("what is estimated while a run goes on", () => {
  it("is what the SDK says at its end", async () => {
    const { play } = await setStage([
      { tools: [{ name: "mcp__stage__again", input: {} }], usage },
      { text: "Done.", usage: longUsage },
    ]);

    const { events } = await play({ toolServers: stageTool("again") });

    const used = eventsOf(events, "usage");
    const [estimate, told] = used.slice(-2);
    expect([estimate?.isEstimate, told?.isEstimate]).toEqual([true, undefined]);
    expect(told?.costUsd).toBeGreaterThan(0);
    expect(estimate?.costUsd).toBeCloseTo(told?.costUsd ?? 0, 9);
    expect(estimate).toMatchObject({ inputTokens: told?.inputTokens, outputTokens: told?.outputTokens, turns: told?.turns });
    // It grows: a question counts when it is asked, and its answer when it is there.
    expect(used.map(({ turns }) => turns)).toEqual([0, 1, 1, 2, 2]);
  });

  it("is counted with the prices of the SDK, for every model we know and for the names that people use", async () => {
    const { ask } = await startConversation();
    // The names that people use stand for a model each, and a newer SDK may take another.
    const names = [...Object.keys(modelPrices), "opus", "sonnet", "haiku", undefined];

    const answers: { model: string; costUsd: number; estimate: number }[] = [];
    for (const name of names) {
      const long = await ask(name, "a long question");
      answers.push({ ...long, estimate: estimateCost(long.model, longTokens) });
      // Where length makes no difference, this has shown the only price there is.
      if (modelPrices[name ?? ""]?.long === undefined) continue;
      const short = await ask(name, "a short question");
      answers.push({ ...short, estimate: estimateCost(short.model, tokens) });
    }

    expect(new Set(answers.map(({ model }) => model)).size).toBeGreaterThanOrEqual(Object.keys(modelPrices).length);
    expect(answers.filter(({ costUsd }) => costUsd <= 0)).toEqual([]);
    expect(answers.filter(({ costUsd, estimate }) => Math.abs(costUsd - estimate) > 1e-9)).toEqual([]);
  });
});

/** One process of the SDK that is asked again and again, each time as another model. */
async function startConversation() {
  const folder = await temporaryFolder();
  const model = await startScriptedModel({
    script: {
      turns: [
        { when: { userContains: "a long question" }, reply: { text: "Done.", usage: longUsage } },
        { reply: { text: "Done.", usage } },
      ],
    },
  });
  onTestFinished(() => model.close());
  const folders = { home: join(folder, "home"), config: join(folder, "config"), temporary: folder };
  const backend = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" };
  const said = createEventChannel<SDKUserMessage>();
  const conversation = query({
    prompt: said,
    options: {
      cwd: folder,
      env: { ...childEnvironment({ folders, backend, host: process.env, maxRetries: 0 }) },
      tools: [],
      settingSources: [],
    },
  });
  onTestFinished(() => conversation.close());
  let sum = 0;

  /** Which model the SDK asked for it, and what it says that this has cost. */
  async function ask(name: string | undefined, question: string): Promise<{ model: string; costUsd: number }> {
    await conversation.setModel(name);
    said.push({ type: "user", message: { role: "user", content: question }, parent_tool_use_id: null });
    for (;;) {
      const { value: message } = await conversation.next();
      if (message?.type !== "result") continue;
      // It tells what all has cost so far.
      const costUsd = message.total_cost_usd - sum;
      sum = message.total_cost_usd;
      return { model: model.requests.at(-1)?.body.model ?? "", costUsd };
    }
  }
  // With the first question comes one of the SDK's own.
  await ask(undefined, "a short question");
  return { ask };
}

describe("the price of a model", () => {
  it("is found with a date, or in the name that somebody else gives it", () => {
    const known = estimateCost("claude-haiku-4-5", tokens);

    expect(estimateCost("claude-haiku-4-5-20251001", tokens)).toBe(known);
    expect(estimateCost("eu.anthropic.claude-haiku-4-5-20251001-v1:0", tokens)).toBe(known);
    expect(estimateCost("claude-opus-5-5", tokens)).not.toBe(estimateCost("claude-opus-5", tokens));
  });

  it.each(["my-own-model", "claude-opus-5-9", "claude-opus-55", ""])("that nobody knows, such as %j, is the dearest there is", (model) => {
    const dearest = Math.max(...Object.keys(modelPrices).map((each) => estimateCost(each, tokens)));

    expect(estimateCost(model, tokens)).toBe(dearest);
  });
});
