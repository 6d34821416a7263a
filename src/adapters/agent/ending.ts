import type { AgentEnding, EndingCode } from "../../core/agent/agent-run.ts";
import type { ChildExit } from "../processes/child.ts";
import type { ChildProcessHandle } from "./child-process.ts";
import type { MissingTool } from "./offered-tools.ts";
import type { SdkResult } from "./sdk-result.ts";

/** All that is known of a run that came to its end by itself. */
export type Remains = {
  result: SdkResult | null;
  /** The class of the last failed model call, as the SDK names it. */
  errorClass: string | null;
  /** When a usage limit resets, if the model said so. */
  resetsAt: string | null;
  /** The model began to answer, and the end of that answer never came. */
  isCutShort: boolean;
  exit: ChildExit | null;
  stderr: string;
  thrown: unknown;
  maxTurns: number;
  /** A tool or the gate asked for the turn to end, because it waits. */
  isParking: boolean;
};

/** Every way an SDK run can end becomes exactly one of our endings. */
export function endingOf(remains: Remains): AgentEnding {
  const { result } = remains;
  if (result === null) return endingWithoutResult(remains);
  // A failed model call is told as a success with this flag, so it is looked at before the subtype.
  if (!result.is_error && result.subtype === "success") return parked(remains) ?? { outcome: "completed", text: result.result ?? "" };
  if (result.subtype === "success") return failedCall(result, remains);
  if (result.subtype === "error_max_turns") {
    return failed("max_turns", `The run reached its limit of ${remains.maxTurns} turns. Raise the limit or continue with another message.`);
  }
  if (result.subtype === "error_max_budget_usd") {
    return failed("budget", "The run has cost as much as it may. Raise its limit to go on.");
  }
  return failedExecution(result, remains);
}

/** A hook that stops the turn is told as a success without a word. */
const parked = ({ result, isParking }: Remains): AgentEnding | null =>
  isParking || result?.terminal_reason === "hook_stopped" ? { outcome: "parked" } : null;

/** The SDK found a transcript where we saw none. It says so before it asks the model anything. */
export const isRefusedAsBegun = (ending: AgentEnding, { stderr }: Pick<ChildProcessHandle, "stderr">): boolean =>
  ending.outcome === "failed" && ending.code === "internal" && /Session ID \S+ is already in use/.test(stderr());

export const stoppedEnding = (): AgentEnding => failed("stopped", "The run was stopped.");

export const interruptedEnding = (): AgentEnding =>
  failed("interrupted", "The hall was closed while this ran. Send the message again to continue.");

export const stalledEnding = (silenceMs: number): AgentEnding =>
  failed("model_stalled", `The model sent nothing for ${Math.round(silenceMs / 1000)} seconds, so the run was ended. Try again.`);

export function missingTools(missing: readonly MissingTool[]): AgentEnding {
  const named = fewOf(missing.map(({ name }) => `"${name}"`));
  const members = new Set(missing.flatMap(({ member }) => member ?? []));
  const ofHall = missing.some(({ member }) => member === null);
  const advice = [
    ...(members.size > 0 ? [adviceOn([...members])] : []),
    ...(ofHall ? ["Try again. If it happens again, reinstall the hall: the installed Agent SDK does not fit it."] : []),
  ];
  return failed("tool_missing", `The Agent SDK did not offer ${named} to the model, so the hall ended the run. ${advice.join(" ")}`);
}

const adviceOn = (members: readonly string[]): string =>
  `Remove the guild member${members.length === 1 ? "" : "s"} ${fewOf(members.map((name) => `\`${name}\``))} from the session, or restart ${members.length === 1 ? "it" : "them"}, and try again.`;

const fewOf = (words: readonly string[]): string =>
  words.length > mostNamed ? `${words.slice(0, mostNamed).join(", ")} and ${words.length - mostNamed} more` : words.join(", ");

const mostNamed = 3;

export const endlessAnswer = (characters: number): AgentEnding =>
  failed(
    "model_bad_request",
    `The model's answer went on after ${characters.toLocaleString("en")} characters, so the run was ended. What was said first is kept.`,
  );

export const refusedCredentials = (status: number): AgentEnding =>
  failed(
    "model_auth",
    `The model refused the credentials (${status}). Check the key or log in again; \`guild-hall doctor\` says which one is used.`,
  );

export function rateLimited(resetsAt: string | null): AgentEnding {
  const advice = resetsAt === null ? "Try again later." : `It resets at ${resetsAt}.`;
  return {
    ...failed("model_rate_limited", `The usage limit of the model is reached. ${advice}`),
    ...(resetsAt === null ? {} : { resetsAt }),
  };
}

export const overloaded = (status: number): AgentEnding =>
  failed("model_overloaded", `The model answered with an error of its own (${status}) and did not recover. Try again in a while.`);

export const brokenRun = (error: unknown): AgentEnding =>
  failed("internal", `The run failed: ${error instanceof Error ? error.message : String(error)}`);

function failedCall(result: SdkResult, { errorClass, resetsAt, isCutShort }: Remains): AgentEnding {
  const status = result.api_error_status ?? null;
  const said = quote(result.result ?? "");
  if (status === 401 || status === 403) return refusedCredentials(status);
  if (status === 429 || errorClass === "rate_limit") return rateLimited(resetsAt);
  if (status !== null && status >= 500) return overloaded(status);
  if (status !== null) return failed("model_bad_request", `The model did not take the request (${status}): ${said}`);
  if (errorClass !== null && isAboutCredentials(errorClass)) {
    return failed("model_auth", `The model could not be asked: ${said}. \`guild-hall doctor\` says which credentials are used.`);
  }
  if (result.api_error === "connection_failed" || errorClass === "server_error" || errorClass === "overloaded") {
    return failed(
      "model_unreachable",
      "The model could not be reached, or the connection broke off. Check the network and the address of the model.",
    );
  }
  // The model answered, and the SDK could make nothing of it.
  if (errorClass === "unknown" && result.api_error === undefined) {
    if (isCutShort) {
      return failed(
        "model_unreachable",
        "The model's answer broke off in the middle, also when it was asked for again. What was said so far is kept. Try again in a while.",
      );
    }
    return failed("model_unreachable", `What answered does not speak the Messages API (${said}). Check the address of the model.`);
  }
  return failed("model_bad_request", `The model ended without an answer: ${said}`);
}

const isAboutCredentials = (errorClass: string): boolean =>
  [
    "authentication_failed",
    "oauth_org_not_allowed",
    "account_on_hold",
    "verification_required",
    "billing_error",
    "cloud_credential_error",
  ].includes(errorClass);

function failedExecution(result: SdkResult, remains: Remains): AgentEnding {
  const said = (result.errors ?? []).join(" ");
  if (/No conversation found with session ID/.test(said)) {
    return failed(
      "session_expired",
      "The model's side of this conversation no longer exists. Renew the session to go on with a fresh one.",
    );
  }
  if (result.terminal_reason?.startsWith("aborted") === true) return died(remains);
  return failed("internal", `The agent could not run: ${quote(said || remains.stderr) || "no reason was given"}`);
}

function endingWithoutResult(remains: Remains): AgentEnding {
  const { exit, stderr, thrown } = remains;
  if (exit?.signal !== null && exit?.signal !== undefined) return died(remains);
  const last = stderr.trim().split("\n").at(-1) ?? "";
  const said = last !== "" ? last : thrown instanceof Error ? thrown.message : "";
  if (exit === null) return failed("internal", `The agent's process could not be started: ${quote(said) || "no reason was given"}`);
  return failed("internal", `The agent's process ended early with code ${exit.code ?? "unknown"}: ${quote(said) || "it gave no reason"}`);
}

const died = ({ exit }: Remains): AgentEnding =>
  failed(
    "interrupted",
    `The agent's process was ended from outside (${exit?.signal ?? "interrupted"}). Send the message again to continue.`,
  );

const quote = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

const failed = (code: EndingCode, message: string) => ({ outcome: "failed", code, message }) as const;
