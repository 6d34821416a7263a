import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import { isQuestion } from "../../schema/session.ts";
import type { RunUsage } from "../../schema/run.ts";
import type { Message, Session, SessionFailure } from "../../schema/session.ts";
import { endedRecord } from "./message-record.ts";
import { previewOf } from "./preview.ts";
import type { ProgressStore } from "../run/progress-store.ts";
import { recoverMessages } from "../run/recovered-messages.ts";
import type { SpendingLedger } from "../run/spending.ts";
import type { MessageRun } from "./message-run.ts";
import type { SessionStore } from "./session-store.ts";
import { withQuery } from "./session-usage.ts";

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

/** Puts the message of a crashed run and what was said into the history, and says in its session what happened. Safe to repeat. */
export async function settleMessage(run: MessageRun, deps: SettleDeps): Promise<void> {
  const { id: runId, owner: sessionId, message } = run;
  const { store, ledger, now } = deps;
  const session = await store.get(sessionId);
  const said = recoverMessages(await readLeft(message, deps), now());
  // The ledger knows the cost if the end was near; otherwise the last estimate counts.
  const costUsd = ledger.costOf(runId) ?? said.costUsd;
  const recordCost = async () =>
    costUsd > 0 && ledger.record({ runId, owner: { kind: "session", id: sessionId }, costUsd, isEstimate: true, at: message.at });
  if (session === null || session.status === "error") return void (await recordCost());
  const { messages } = await store.messages(sessionId, { limit: Number.MAX_SAFE_INTEGER });
  const kept = new Set(messages.map(({ id }) => id));
  // A later message was let in only after this one had ended. A note is part of the run that read it.
  const isPast = kept.has(message.id) && messages.findLast(isQuestion)?.id !== message.id;
  if (session.endedQuery === message.id) return settleRecord(run, { error: session.error }, deps).catch(deps.onProblem);
  if (isPast) return;

  const missing = [message, ...said.messages].filter(({ id }) => !kept.has(id));
  for (const each of missing) await store.appendMessage(sessionId, each);
  await recordCost();
  await settleRecord(run, { error: interrupted, usage: said.usage }, deps).catch(deps.onProblem);
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

/** The run's own record, if it had begun. */
async function settleRecord(
  { id, owner }: MessageRun,
  { error, usage }: { error: SessionFailure | null; usage?: RunUsage | undefined },
  { store, now }: SettleDeps,
): Promise<void> {
  const record = await store.run(owner);
  if (record?.id !== id || record.endedAt !== null) return;
  await store.saveRun(endedRecord(record, { at: now(), error, usage }));
}

/** Progress that can never be read must not keep its session from being opened. Other failures may pass. */
const readLeft = ({ id }: Message, { progress, onProblem }: SettleDeps): Promise<string[]> =>
  progress.readLeft(id).catch((error: unknown) => {
    if (!(error instanceof HallError) || error.code !== "file_broken") throw error;
    onProblem(error);
    return [];
  });
