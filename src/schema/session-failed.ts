import type { ErrorCode } from "./error-code.ts";
import type { Session } from "./session.ts";

/** A session takes the next message although its last answer failed. One that a person or a restart broke off did not fail. */
export const isFailed = ({ status, error }: Pick<Session, "status" | "error">): boolean =>
  status === "idle" && error !== null && !quiet.has(error.code);

const quiet: ReadonlySet<ErrorCode> = new Set(["stopped", "interrupted"]);
