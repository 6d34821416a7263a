import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { estimateCost } from "./model-prices.ts";
import type { Tokens } from "./model-prices.ts";

const count = z.number().catch(0);

/** The usage of a response as the Messages API tells it, first when it begins and again, in full, when it is whole. */
const ResponseUsage = z
  .looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    cache_creation: z.looseObject({ ephemeral_1h_input_tokens: count }).nullish().catch(null),
  })
  .catch({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, cache_creation: null });

type Response = { model: string; tokens: Tokens; isWhole: boolean };

/**
 * Says after each response what a run has cost by now, and when one begins what its question costs: the SDK tells its own
 * figure only at the end, and a run whose process or hall dies comes to none.
 */
export function createUsageMeter(emit: (event: AgentEvent) => void): (message: SDKMessage) => void {
  const responses: Response[] = [];
  const streamed = new Set<string>();
  let current: Response | undefined;

  function begin(model: string, usage: unknown): Response {
    const response = { model, tokens: tokensOf(usage), isWhole: false };
    responses.push(response);
    return response;
  }

  function tell(): void {
    const sum = (read: (response: Response) => number) => responses.reduce((total, response) => total + read(response), 0);
    emit({
      type: "usage",
      inputTokens: sum(({ tokens: { input, cacheRead, cacheWrite, cacheWriteHour } }) => input + cacheRead + cacheWrite + cacheWriteHour),
      outputTokens: sum(({ tokens }) => tokens.output),
      costUsd: sum(({ model, tokens }) => estimateCost(model, tokens)),
      turns: responses.filter(({ isWhole }) => isWhole).length,
      isEstimate: true,
    });
  }

  return (message) => {
    if ("parent_tool_use_id" in message && message.parent_tool_use_id !== null) return;
    if (message.type === "stream_event") {
      const { event } = message;
      if (event.type === "message_start") {
        streamed.add(event.message.id);
        current = begin(event.message.model, event.message.usage);
        tell();
      }
      if (event.type === "message_delta" && current !== undefined) {
        current.tokens = higher(current.tokens, tokensOf(event.usage));
        current.isWhole = true;
        tell();
      }
    }
    // One that came without a stream.
    if (message.type === "assistant" && message.error === undefined && message.message.model !== "<synthetic>") {
      const { id, model, usage } = message.message;
      if (streamed.has(id)) return;
      streamed.add(id);
      begin(model, usage).isWhole = true;
      tell();
    }
  };
}

function tokensOf(usage: unknown): Tokens {
  const told = ResponseUsage.parse(usage);
  const cacheWriteHour = told.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return {
    input: told.input_tokens,
    output: told.output_tokens,
    cacheRead: told.cache_read_input_tokens,
    cacheWrite: Math.max(0, told.cache_creation_input_tokens - cacheWriteHour),
    cacheWriteHour,
  };
}

/** What the end of a response leaves out was said at its beginning. */
const higher = (one: Tokens, other: Tokens): Tokens => ({
  input: Math.max(one.input, other.input),
  output: Math.max(one.output, other.output),
  cacheRead: Math.max(one.cacheRead, other.cacheRead),
  cacheWrite: Math.max(one.cacheWrite, other.cacheWrite),
  cacheWriteHour: Math.max(one.cacheWriteHour, other.cacheWriteHour),
});
