import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { RunResult } from "./ending.ts";

export type Usage = { turns: number; costUsd: number };

/** Counts what a run uses. The SDK tells the cost only at the end, and a run that dies has none, so until then it is estimated. */
export function createUsageMeter(before: Usage, onChange: (usage: Usage) => void): (message: SDKMessage) => void {
  const counted = new Set<string>();
  let response = { model: "", cost: 0 };
  let finished = 0;
  let turns = 0;
  const tell = (costUsd: number) => onChange({ turns: before.turns + turns, costUsd: before.costUsd + costUsd });

  function finish(): void {
    finished += response.cost;
    response = { model: "", cost: 0 };
    turns += 1;
    tell(finished);
  }

  return (message) => {
    if (message.type === "stream_event" && message.event.type === "message_start") {
      const { id, model, usage } = message.event.message;
      counted.add(id);
      response = { model, cost: costOf(model, usage) };
    }
    if (message.type === "stream_event" && message.event.type === "message_delta" && message.event.delta.stop_reason !== null) {
      response.cost = Math.max(response.cost, costOf(response.model, message.event.usage));
      finish();
    }
    // One that came without a stream.
    if (message.type === "assistant" && message.error === undefined && !counted.has(message.message.id)) {
      const { id, model, usage } = message.message;
      if (model === "<synthetic>") return;
      counted.add(id);
      response = { model, cost: costOf(model, usage) };
      finish();
    }
    if (message.type === "result") {
      const told = Object.values(RunResult.parse(message).model_usage_since_last_result);
      if (told.length > 0) tell(told.reduce((total, { costUSD }) => total + costUSD, 0));
    }
  };
}

const count = z.number().catch(0);
const Tokens = z
  .looseObject({ input_tokens: count, output_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count })
  .catch({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });

/** In dollars, and rather too high: the prices of the dearest model of each family. */
function costOf(model: string, usage: unknown): number {
  const tokens = Tokens.parse(usage);
  const price = families.find(({ name }) => model.includes(name))?.price ?? dearest;
  const asInput =
    tokens.input_tokens + tokens.output_tokens * 5 + tokens.cache_creation_input_tokens * 1.25 + tokens.cache_read_input_tokens * 0.1;
  return (asInput * price) / 1_000_000;
}

/** Dollars for a million tokens of input. */
const families = [
  { name: "haiku", price: 1 },
  { name: "sonnet", price: 3 },
  { name: "opus", price: 5 },
];
const dearest = 10;
