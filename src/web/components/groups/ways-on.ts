import type { ErrorCode } from "../../../schema/error-code.ts";

/** How to go on after a query that did not end well: say the same again, or have it continue from where it is. */
export type GoOn = "again" | "continue";

/** What can be gone on with is continued; without an answer there is nothing to continue. A failure leaves open which of them helps. */
export function waysOn(code: ErrorCode, hasAnswer: boolean): readonly GoOn[] {
  if (!hasAnswer) return ["again"];
  return isMeant(code) ? ["continue"] : ["continue", "again"];
}

/** Endings that somebody or a limit wanted. */
export const isMeant = (code: ErrorCode): boolean => meant.has(code);

const meant: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["stopped", "interrupted", "max_turns", "budget"]);
