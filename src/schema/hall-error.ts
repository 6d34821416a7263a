import type { ErrorCode } from "./error-code.ts";

/** The one error of the hall. Its message is a sentence a person can act on and names the thing it is about. */
export class HallError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, more: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(message, "cause" in more ? { cause: more.cause } : undefined);
    this.name = "HallError";
    this.code = code;
    this.details = more.details ?? {};
  }
}
