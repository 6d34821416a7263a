import type { SessionId } from "../../schema/ids.ts";
import type { Match } from "../../schema/session.ts";

/** Where a session is, and in it the message that was found. */
export const sessionHref = (id: SessionId, match?: Pick<Match, "messageId"> | null): string =>
  match === undefined || match === null ? `/sessions/${id}` : `/sessions/${id}#${match.messageId}`;
