import { describe, expect, it } from "vitest";
import type { AgentEnding } from "../../core/agent/agent-run.ts";
import { endingOf, missingTools } from "./ending.ts";
import type { Remains } from "./ending.ts";
import { SdkResult } from "./sdk-result.ts";

const nothing: Remains = {
  result: null,
  errorClass: null,
  resetsAt: null,
  isCutShort: false,
  exit: { code: 0, signal: null },
  stderr: "",
  thrown: null,
  isParking: false,
  maxTurns: 7,
};

const result = (fields: object): SdkResult =>
  SdkResult.parse({ type: "result", subtype: "success", is_error: true, num_turns: 1, ...fields });

const tool = (name: string, member: string | null) => ({ name, member });

const codeOf = (ending: AgentEnding): string => (ending.outcome === "failed" ? ending.code : ending.outcome);

describe("a failed model call, which the SDK calls a success", () => {
  it.each([
    [{ api_error_status: 401 }, "authentication_failed", "model_auth"],
    [{ api_error_status: 403 }, "authentication_failed", "model_auth"],
    [{ api_error_status: null, result: "Not logged in · Please run /login" }, "authentication_failed", "model_auth"],
    [{ result: "Credit balance is too low" }, "billing_error", "model_auth"],
    [{ api_error_status: 429 }, "rate_limit", "model_rate_limited"],
    [{ result: "You've hit your limit" }, "rate_limit", "model_rate_limited"],
    [{ api_error_status: 400 }, "unknown", "model_bad_request"],
    [{ api_error_status: 404 }, "model_not_found", "model_bad_request"],
    [{ api_error_status: 413 }, "invalid_request", "model_bad_request"],
    [{ api_error_status: 500 }, "server_error", "model_overloaded"],
    [{ api_error_status: 529 }, "server_error", "model_overloaded"],
    [{ api_error: "connection_failed" }, "server_error", "model_unreachable"],
    [{ result: "Request timed out" }, "server_error", "model_unreachable"],
    [{ result: "API returned an empty or malformed response (HTTP 200)" }, "unknown", "model_unreachable"],
    [{ api_error: "max_output_tokens" }, "max_output_tokens", "model_bad_request"],
    [{ result: "Prompt is too long", terminal_reason: "prompt_too_long" }, "invalid_request", "model_bad_request"],
    [{ result: "API Error: can't help with this" }, null, "model_bad_request"],
  ])("%j (%s) ends as %s", (fields, errorClass, code) => {
    const ending = endingOf({ ...nothing, result: result(fields), errorClass });

    expect(codeOf(ending)).toBe(code);
  });

  it("tells an answer that broke off from one that is none", () => {
    const garbled = { result: result({ result: "API Error: JSON Parse error" }), errorClass: "unknown" };

    const [cutShort, foreign] = [true, false].map((isCutShort) => endingOf({ ...nothing, ...garbled, isCutShort }));

    expect(cutShort).toMatchObject({ code: "model_unreachable", message: expect.stringContaining("broke off in the middle") as string });
    expect(foreign).toMatchObject({ code: "model_unreachable", message: expect.stringContaining("Check the address") as string });
  });

  it("says when a usage limit resets, where that is known", () => {
    const resetsAt = "2026-01-02T03:04:05.000Z";

    const ending = endingOf({ ...nothing, result: result({ api_error_status: 429 }), resetsAt });

    expect(ending).toMatchObject({ code: "model_rate_limited", resetsAt, message: expect.stringContaining(resetsAt) as string });
  });
});

describe("any other ending", () => {
  it.each([
    [{ is_error: false, result: "fine" }, "completed"],
    [{ subtype: "error_max_turns", errors: ["Reached maximum number of turns (7)"] }, "max_turns"],
    [{ subtype: "error_max_budget_usd", errors: ["Reached maximum budget ($1)"] }, "budget"],
    [{ subtype: "error_during_execution", errors: ["No conversation found with session ID: x"] }, "session_expired"],
    [{ subtype: "error_during_execution", errors: ["odd"], terminal_reason: "aborted_streaming" }, "interrupted"],
    [{ subtype: "error_during_execution", errors: ["odd"], startup_failure_reason: "config_file_invalid" }, "internal"],
    [{ subtype: "error_max_structured_output_retries", errors: [] }, "internal"],
    [{ subtype: "error_of_tomorrow", errors: ["new"] }, "internal"],
  ])("%j ends as %s", (fields, code) => {
    expect(codeOf(endingOf({ ...nothing, result: result(fields) }))).toBe(code);
  });

  it.each([
    [{ exit: { code: null, signal: "SIGKILL" as const } }, "interrupted", "SIGKILL"],
    [{ exit: { code: 1, signal: null }, stderr: "warming up\nError: no room left\n" }, "internal", "Error: no room left"],
    [{ exit: { code: 0, signal: null } }, "internal", "it gave no reason"],
    [{ exit: null, thrown: new Error("spawn ENOENT") }, "internal", "spawn ENOENT"],
  ])("without a result, %j ends as %s and says %s", (fields, code, words) => {
    const ending = endingOf({ ...nothing, ...fields });

    expect(codeOf(ending)).toBe(code);
    expect(ending).toHaveProperty("message", expect.stringContaining(words));
  });

  it("quotes what was said, but not at any length", () => {
    const ending = endingOf({ ...nothing, exit: { code: 1, signal: null }, stderr: "x".repeat(100_000) });

    expect(JSON.stringify(ending).length).toBeLessThan(1_000);
  });
});

describe("tools that the SDK does not offer", () => {
  it.each([
    [
      "of a guild member",
      [tool("mcp__x__a", "x"), tool("mcp__x__b", "x")],
      '"mcp__x__a", "mcp__x__b" to the model, so the hall ended the run. Remove the guild member `x` from the session, or restart it, and try again.',
    ],
    [
      "of several guild members",
      ["a", "b", "c", "d"].map((name) => tool(`mcp__${name}__t`, name)),
      '"mcp__a__t", "mcp__b__t", "mcp__c__t" and 1 more to the model, so the hall ended the run. Remove the guild members `a`, `b`, `c` and 1 more from the session, or restart them, and try again.',
    ],
    [
      "of the SDK itself",
      [tool("Grep", null)],
      '"Grep" to the model, so the hall ended the run. Try again. If it happens again, reinstall the hall: the installed Agent SDK does not fit it.',
    ],
  ])("are named with what to do, if they are %s", (_whose, missing, words) => {
    expect(missingTools(missing)).toEqual({ outcome: "failed", code: "tool_missing", message: `The Agent SDK did not offer ${words}` });
  });
});
