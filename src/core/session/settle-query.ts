import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Session, SessionFailure } from "../../schema/session.ts";
import { previewOf } from "./preview.ts";
import type { ProgressStore } from "./progress-store.ts";
import type { QueryPayload } from "./query-payload.ts";
import { recoverMessages } from "./recovered-messages.ts";
import type { SessionStore } from "./session-store.ts";
import { withQuery } from "./session-usage.ts";
import type { SpendingLedger } from "./spending.ts";

type SettleDeps = {
  store: SessionStore;
  progress: ProgressStore;
  ledger: SpendingLedger;
  change: (id: SessionId, next: (session: Session) => Session) => Promise<Session>;
  now: () => string;
  onProblem: (error: unknown) => void;
};

export const interrupted: SessionFailure = {
  code: "interrupted",
  message: "The hall ended while this was running. What was said until then is kept; send a message to go on.",
};

/** What a crash left of a query: its message and what was said are in the history, and its session says what happened. */
export async function settleQuery({ sessionId, message }: QueryPayload, deps: SettleDeps): Promise<void> {
  const { store, ledger, now } = deps;
  const session = await store.get(sessionId);
  const said = recoverMessages(await readLeft(message.id, deps), now());
  // The ledger knows where the end was near; otherwise what was estimated last counts.
  const costUsd = ledger.costOf(message.id) ?? said.costUsd;
  const recordCost = async () =>
    costUsd > 0 && ledger.record({ messageId: message.id, sessionId, costUsd, isEstimate: true, at: message.at });
  if (session === null || session.status === "error") return void (await recordCost());
  const { messages } = await store.messages(sessionId, { limit: Number.MAX_SAFE_INTEGER });
  const kept = new Set(messages.map(({ id }) => id));
  // A later message was let in only after this one had ended.
  const isPast = kept.has(message.id) && messages.findLast(({ role }) => role === "user")?.id !== message.id;
  if (session.endedQuery === message.id || isPast) return;

  const missing = [message, ...said.messages].filter(({ id }) => !kept.has(id));
  for (const each of missing) await store.appendMessage(sessionId, each);
  await recordCost();
  await deps.change(sessionId, (current) => ({
    ...current,
    status: "idle",
    error: interrupted,
    // Answers that were stored before the crash have not been counted yet.
    messageCount: messages.length + missing.length,
    costUsd: current.costUsd + costUsd,
    usage: withQuery(current.usage, { usage: said.usage, said: said.messages.length }),
    lastActivityAt: current.lastActivityAt > message.at ? current.lastActivityAt : message.at,
    endedQuery: message.id,
    preview: missing.map(previewOf).findLast((line) => line !== null) ?? current.preview,
  }));
}

/** Progress that can never be read must not keep its session from being opened. Other failures may pass. */
const readLeft = (query: MessageId, { progress, onProblem }: SettleDeps): Promise<string[]> =>
  progress.readLeft(query).catch((error: unknown) => {
    if (!(error instanceof HallError) || error.code !== "file_broken") throw error;
    onProblem(error);
    return [];
  });
