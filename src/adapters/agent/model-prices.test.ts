import { describe, expect, it } from "vitest";
import { eventsOf, setStage, stageTool } from "./agent-stage.testing.ts";
import { estimateCost, modelPrices } from "./model-prices.ts";

const usage = { inputTokens: 1_000, outputTokens: 2_000, cacheReadTokens: 30_000, cacheWriteTokens: 4_000, cacheWriteHourTokens: 1_500 };
const tokens = { input: 1_000, output: 2_000, cacheRead: 30_000, cacheWrite: 2_500, cacheWriteHour: 1_500 };

describe("what is estimated while a run goes on", () => {
  // The names that people use stand for a model each, and a newer SDK may take another.
  it.each([...Object.keys(modelPrices), "opus", "sonnet", "haiku", undefined])("is what the SDK says at its end, for %s", async (model) => {
    const { play } = await setStage([
      { tools: [{ name: "mcp__stage__again", input: {} }], usage },
      { text: "Done.", usage: { ...usage, cacheReadTokens: 120_000 } },
    ]);

    const { events } = await play({ toolServers: stageTool("again"), ...(model === undefined ? {} : { model }) });

    const used = eventsOf(events, "usage");
    const [estimate, told] = used.slice(-2);
    expect([estimate?.isEstimate, told?.isEstimate]).toEqual([true, undefined]);
    expect(told?.costUsd).toBeGreaterThan(0);
    expect(estimate?.costUsd).toBeCloseTo(told?.costUsd ?? 0, 9);
    expect(estimate).toMatchObject({ inputTokens: told?.inputTokens, outputTokens: told?.outputTokens, turns: told?.turns });
    // It grows: a question counts when it is asked, and its answer when it is there.
    expect(used.map(({ turns }) => turns)).toEqual([0, 1, 1, 2, 2]);
  });
});

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
