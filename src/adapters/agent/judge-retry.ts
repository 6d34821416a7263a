import type { SDKAPIRetryMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEnding } from "../../core/agent/agent-run.ts";
import { overloaded, rateLimited, refusedCredentials } from "./ending.ts";

/**
 * Whether a retry the SDK is about to make is worth waiting for. It would send refused credentials again and again, and
 * sleep through a usage limit for hours.
 */
export function judgeRetry(retry: SDKAPIRetryMessage, longestWaitMs: number, now: number): AgentEnding | null {
  const { error_status: status, retry_delay_ms: delay } = retry;
  if (status === 401 || status === 403) return refusedCredentials(status);
  if (status === 429 && delay > longestWaitMs) return rateLimited(new Date(now + delay).toISOString());
  // The SDK goes on for ever with these two; for the rest it keeps to its limit by itself.
  if (retry.attempt > retry.max_retries) return status === 429 ? rateLimited(null) : overloaded(status ?? 529);
  return null;
}
