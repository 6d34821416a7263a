import { newSdkSessionId, newSessionId } from "./ids.ts";
import type { Session } from "./session.ts";
import { nothingUsed } from "./usage.ts";

/** A session that nothing has happened to yet, but for what a test says of it. */
export function sessionWith(more: Partial<Session> = {}): Session {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    id: newSessionId(),
    kind: "session",
    name: "A session",
    status: "idle",
    members: [],
    model: null,
    sdkSessionId: newSdkSessionId(),
    messageCount: 0,
    createdAt: at,
    lastActivityAt: at,
    costUsd: 0,
    usage: nothingUsed,
    limits: {},
    error: null,
    renewedAt: null,
    preview: null,
    waitingFor: null,
    endedQuery: null,
    ...more,
  };
}
