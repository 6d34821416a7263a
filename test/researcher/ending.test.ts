import type { SDKAPIRetryMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { endingOf, judgeRetry, RunResult, stalled } from "../../guild-members/researcher/ending.ts";
import type { Remains } from "../../guild-members/researcher/ending.ts";

const nothing: Remains = { result: null, failure: null, resetsAt: null, isCutShort: false, exit: null, lastWords: "", thrown: null };
const failedCall = (more: object): RunResult => RunResult.parse({ subtype: "success", is_error: true, result: "It said no.", ...more });

describe("what is left of a session when its process is gone", () => {
  it.each<[string, Partial<Remains>, string]>([
    ["an error of the model", { result: failedCall({ api_error_status: 500 }) }, "an error of its own (500)"],
    ["a refusal", { result: failedCall({}), failure: "unknown" }, "ended without an answer: It said no."],
    ["a missing login", { result: failedCall({}), failure: "authentication_failed" }, "could not be asked: It said no."],
    [
      "a limit that says when it ends",
      { result: failedCall({ api_error_status: 429 }), resetsAt: "2026-01-01T00:00:00Z" },
      "resets at 2026",
    ],
    ["a limit that does not", { result: failedCall({}), failure: "rate_limit" }, "again later"],
    ["a model that nobody reaches", { result: failedCall({}), failure: "server_error" }, "could not be reached"],
    ["an answer without an end", { result: failedCall({}), isCutShort: true, failure: "unknown" }, "broke off in the middle"],
    ["a process that never was", { thrown: new Error("no such program") }, "could not be started: no such program."],
    ["an exit", { exit: { code: 1, signal: null }, lastWords: "out of memory" }, "ended early with code 1: out of memory."],
    ["a signal", { exit: { code: null, signal: "SIGKILL" } }, "from outside (SIGKILL)"],
    [
      "a failure in the SDK",
      { result: RunResult.parse({ subtype: "error_during_execution", is_error: true, errors: ["Bad."] }) },
      "not run: Bad.",
    ],
  ])("is told in words: %s", (_, remains, words) => {
    const ending = endingOf({ ...nothing, ...remains });

    expect(ending.kind === "failed" ? ending.reason : ending.kind).toContain(words);
  });

  it("is a silence, which says whose it was and how long", () => {
    expect(stalled(120_000, "The model")).toMatchObject({
      reason: expect.stringContaining("The model sent nothing for 120 seconds") as string,
    });
    expect(stalled(600_000, "A tool")).toMatchObject({ reason: expect.stringContaining("A tool sent nothing for 600 seconds") as string });
  });

  it("is an answer, or a session that can only be begun anew", () => {
    const answer = RunResult.parse({ subtype: "success", is_error: false, result: "Yes." });
    const lost = RunResult.parse({
      subtype: "error_during_execution",
      is_error: true,
      errors: ["No conversation found with session ID: x"],
    });

    expect(endingOf({ ...nothing, result: answer })).toEqual({ kind: "answered", text: "Yes." });
    expect(endingOf({ ...nothing, result: lost })).toMatchObject({ kind: "failed", sessionIsLost: true });
  });
});

describe("a retry that the SDK is about to make", () => {
  const now = Date.parse("2026-01-02T03:04:05.000Z");
  const judge = (told: Partial<SDKAPIRetryMessage>) =>
    // As it comes off the wire, with only the fields that are read.
    judgeRetry({ attempt: 1, max_retries: 1, retry_delay_ms: 1_000, error_status: 529, ...told } as SDKAPIRetryMessage, now);

  it("is waited for where it may help", () => {
    expect([judge({}), judge({ error_status: 429, retry_delay_ms: 30_000 }), judge({ error_status: null })]).toEqual([null, null, null]);
  });

  it.each<[string, Partial<SDKAPIRetryMessage>, string]>([
    ["a refused key", { error_status: 401 }, "refused the credentials (401)"],
    ["a limit that lasts for long", { error_status: 429, retry_delay_ms: 7_200_000 }, "It resets at 2026-01-02T05:04:05.000Z"],
    ["a limit that was waited for too often", { error_status: 429, attempt: 2 }, "again later"],
    ["an overload that does not pass", { attempt: 2 }, "an error of its own (529)"],
  ])("is not waited for, and the end is told in words: %s", (_, told, words) => {
    expect(judge(told)).toMatchObject({ kind: "failed", reason: expect.stringContaining(words) as string });
  });
});
