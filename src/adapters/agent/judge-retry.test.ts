import type { SDKAPIRetryMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { judgeRetry } from "./judge-retry.ts";

const now = Date.parse("2026-01-02T03:04:05.000Z");
const judge = (told: Partial<SDKAPIRetryMessage>) =>
  // As it comes off the wire, with only the fields that are read.
  judgeRetry({ attempt: 1, max_retries: 5, retry_delay_ms: 1_000, error_status: 500, ...told } as SDKAPIRetryMessage, 30_000, now);

describe("a retry the SDK is about to make", () => {
  it.each([
    { error_status: 500 },
    { error_status: 529 },
    { error_status: null },
    { error_status: 429, retry_delay_ms: 30_000 },
    { error_status: 529, attempt: 5 },
  ])("is waited for: %j", (told) => {
    expect(judge(told)).toBeNull();
  });

  it.each([
    [{ error_status: 401 }, { code: "model_auth" }],
    [{ error_status: 403 }, { code: "model_auth" }],
    [
      { error_status: 429, retry_delay_ms: 30_001 },
      { code: "model_rate_limited", resetsAt: "2026-01-02T03:04:35.001Z" },
    ],
    [
      { error_status: 429, retry_delay_ms: 7_200_000 },
      { code: "model_rate_limited", resetsAt: "2026-01-02T05:04:05.000Z" },
    ],
    [{ error_status: 429, attempt: 6 }, { code: "model_rate_limited" }],
    [{ error_status: 529, attempt: 6 }, { code: "model_overloaded" }],
  ])("is not waited for: %j ends the run as %j", (told, ending) => {
    expect(judge(told)).toMatchObject(ending);
  });
});
