import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { wellFormed } from "../../schema/well-formed.ts";
import { startAwakeTimer } from "../awake-timer.ts";
import { reasons, wordsOf } from "./end-reasons.ts";
import { letExitSpeak } from "./let-exit-speak.ts";
import { ask } from "./member-client.ts";

export type MemberRequest<Schema extends z.ZodType> = {
  member: string;
  request: { method: string; params: Record<string, unknown> };
  schema: Schema;
  /** Aborted when nobody wants the answer any more. */
  stop: AbortSignal | undefined;
  withinMs: number;
  /** Aborted when the member's life is over, with the reason as an error. */
  over: AbortSignal;
  onLost(reason: string): void;
  words: RequestWords;
};

/** How it is told that something came in place of an answer. */
export type RequestWords = {
  /** What was asked, such as "the call of echo". */
  what: string;
  /** Followed by a colon and the reason why the member is gone. */
  unanswered: string;
  late: string;
};

/**
 * What came in place of an answer, in the `kind` of an error's details: an error or nonsense in the words of the protocol, a
 * status of HTTP, nothing in time, or the end of the connection.
 */
export type FailureKind = "protocol" | "http" | "timeout" | "lost";

/** Asks and waits for the answer, until the time is up or nobody wants it any more. The member is told then. */
export async function requestOf<Schema extends z.ZodType>(client: Client, asked: MemberRequest<Schema>): Promise<z.infer<Schema>> {
  const { member, request, schema, stop, withinMs, words } = asked;
  // The SDK never lets go of a signal it was given, so each request has one of its own.
  const given = new AbortController();
  const giveUp = () => given.abort(new HallError("stopped", `${capital(words.what)} of ${member} was stopped.`));
  const onLate = () => given.abort(new HallError("tool_timeout", words.late, { details: detailsOf("timeout") }));
  const stopClock = startAwakeTimer(withinMs, onLate);
  if (stop?.aborted === true) giveUp();
  stop?.addEventListener("abort", giveUp, { once: true });
  try {
    return wellFormed(await ask(client, request, schema, given.signal));
  } catch (error) {
    if (given.signal.aborted) throw given.signal.reason;
    throw await failureOf(error, asked);
  } finally {
    stopClock();
    stop?.removeEventListener("abort", giveUp);
  }
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

async function failureOf(error: unknown, { member, over, onLost, words }: MemberRequest<z.ZodType>): Promise<HallError> {
  if (error instanceof StreamableHTTPError && error.code === 404) onLost(reasons.forgotten(member));
  if (isLost(error)) await letExitSpeak(over);
  const message = over.aborted
    ? `${words.unanswered}: ${wordsOf(over.reason)}`
    : `${member} failed to answer ${words.what}: ${wordsOf(error)}`;
  return new HallError("member_failed", message, { cause: error, details: detailsOf(over.aborted ? "lost" : kindOf(error)) });
}

export const detailsOf = (kind: FailureKind): { kind: FailureKind } => ({ kind });

/** A member may use the very number with which the SDK says that a connection is closed; one that is has its life over. */
const kindOf = (error: unknown): FailureKind =>
  error instanceof StreamableHTTPError ? "http" : error instanceof McpError || !isLost(error) ? "protocol" : "lost";

/** Whether the connection broke, rather than something coming through it. Errors of the system have names for codes. */
const isLost = (error: unknown): boolean =>
  error instanceof McpError
    ? error.code === Number(ErrorCode.ConnectionClosed)
    : error instanceof Error && "code" in error && typeof error.code === "string";
