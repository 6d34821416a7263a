import type { SDKAPIRetryMessage } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import type { Exit } from "./agent-process.ts";

/** How a run of the agent came to its end. `reason` is for people. */
export type Ending = { kind: "answered"; text: string } | { kind: "stopped" } | { kind: "failed"; reason: string; sessionIsLost?: true };

/** The message with which the SDK ends a run, as far as it is read here. */
export const RunResult = z.looseObject({
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().catch(""),
  errors: z.array(z.string()).catch([]),
  terminal_reason: z.string().optional(),
  api_error_status: z.number().nullish(),
  total_cost_usd: z.number().catch(0),
  /** Unlike the totals, it does not count what a resumed session had cost before. */
  model_usage_since_last_result: z.record(z.string(), z.looseObject({ costUSD: z.number().catch(0) })).catch({}),
});
export type RunResult = z.infer<typeof RunResult>;

/** All that is left of a run when its process is gone. */
export type Remains = {
  result: RunResult | null;
  /** What the SDK calls the last failed model call. */
  failure: string | null;
  /** When a usage limit ends, if the model said so. */
  resetsAt: string | null;
  /** A response had begun, and its end never came. */
  isCutShort: boolean;
  exit: Exit | null;
  lastWords: string;
  thrown: unknown;
};

export function endingOf(remains: Remains): Ending {
  const { result } = remains;
  if (result === null) return withoutResult(remains);
  if (isAnswer(result)) return { kind: "answered", text: result.result };
  if (result.subtype === "success") return failedCall(result, remains);
  if (result.subtype === "error_max_turns") {
    return failed(
      "The job reached its limit of turns (maxTurns in its config). Dispatch it again with a higher one, or with a smaller task.",
    );
  }
  if (result.subtype === "error_max_budget_usd") {
    return failed("The job has cost as much as it may (maxBudgetUsd in its config). Dispatch it again with more, or with a smaller task.");
  }
  const said = result.errors.join(" ");
  if (/No conversation found with session ID/.test(said)) {
    return { kind: "failed", reason: "The session of the interrupted job is gone.", sessionIsLost: true };
  }
  if (result.terminal_reason?.startsWith("aborted") === true) return died(remains);
  return failed(`The agent could not run: ${quote(said || remains.lastWords)}.`);
}

/** A model call that failed is told as a success with this flag, so the subtype alone says little. */
export const isAnswer = ({ subtype, is_error: isError }: RunResult): boolean => subtype === "success" && !isError;

export const stalled = (silenceMs: number, who: "The model" | "A tool"): Ending =>
  failed(`${who} sent nothing for ${Math.round(silenceMs / 1000)} seconds, so the job was ended. Dispatch it again.`);

/** Whether a retry of the SDK is worth waiting for: it would repeat refused credentials, and sleep through a usage limit for hours. */
export function judgeRetry(retry: SDKAPIRetryMessage, now: number): Ending | null {
  const { error_status: status, retry_delay_ms: delay, attempt, max_retries: most } = retry;
  if (status === 401 || status === 403) return refusedKey(status);
  if (status === 429 && delay > longestWaitMs) return limited(new Date(now + delay).toISOString());
  // With these two the SDK would go on for ever.
  if (attempt > most) return status === 429 ? limited(null) : overloaded(status ?? 529);
  return null;
}

const longestWaitMs = 30_000;

function failedCall(result: RunResult, { failure, resetsAt, isCutShort }: Remains): Ending {
  const status = result.api_error_status ?? null;
  if (status === 401 || status === 403) return refusedKey(status);
  if (status === 429 || failure === "rate_limit") return limited(resetsAt);
  if (status !== null && status >= 500) return overloaded(status);
  if (status !== null) return failed(`The model did not take the request (${status}): ${quote(result.result)}.`);
  if (failure === "authentication_failed" || failure === "billing_error") {
    return failed(`The model could not be asked: ${quote(result.result)}. \`guild-hall doctor\` says which credentials are used.`);
  }
  if (isCutShort)
    return failed("The model's answer broke off in the middle, also when it was asked for again. Dispatch the job again in a while.");
  if (failure === "server_error" || failure === "overloaded") {
    return failed("The model could not be reached, or the connection broke off. Check the network and the address of the model.");
  }
  return failed(`The model ended without an answer: ${quote(result.result)}.`);
}

function withoutResult(remains: Remains): Ending {
  const { exit, lastWords, thrown } = remains;
  if (exit !== null && exit.signal !== null) return died(remains);
  const said = quote(lastWords || (thrown instanceof Error ? thrown.message : ""));
  if (exit === null) return failed(`The agent's process could not be started: ${said}.`);
  return failed(`The agent's process ended early with code ${exit.code ?? "unknown"}: ${said}.`);
}

const died = ({ exit }: Remains): Ending =>
  failed(`The agent's process was ended from outside (${exit?.signal ?? "interrupted"}). Dispatch the job again.`);

const refusedKey = (status: number): Ending =>
  failed(`The model refused the credentials (${status}). Check the key, or log in again; \`guild-hall doctor\` says which one is used.`);

const limited = (resetsAt: string | null): Ending =>
  failed(`The usage limit of the model is reached. ${resetsAt === null ? "Dispatch the job again later." : `It resets at ${resetsAt}.`}`);

const overloaded = (status: number): Ending =>
  failed(`The model answered with an error of its own (${status}) and did not recover. Dispatch the job again in a while.`);

const quote = (text: string): string =>
  text === "" ? "no reason was given" : text.length > 500 ? `${text.slice(0, 500)}…` : text.replace(/\.$/, "");

const failed = (reason: string): Ending => ({ kind: "failed", reason });
