import type { AgentProfile } from "../../schema/agent-profile.ts";
import type { MessageRunRecord, RunState, RunUsage } from "../../schema/run.ts";
import type { Session, SessionFailure } from "../../schema/session.ts";
import type { MessageRun } from "./message-run.ts";

type Begun = { session: Session; profile: AgentProfile; startedAt: string; usage: RunUsage };

/** The record of a message's run that is about to start its first process. */
export const begunRecord = ({ id, owner }: MessageRun, { session, profile, startedAt, usage }: Begun): MessageRunRecord => ({
  id,
  owner: { kind: "session", id: owner },
  parent: null,
  root: id,
  depth: 0,
  worker: null,
  profile,
  model: modelOf(session),
  state: "running",
  waitingFor: null,
  attempt: 1,
  usage,
  startedAt,
  endedAt: null,
  ending: null,
});

type End = { at: string; error: SessionFailure | null; attempt?: number; usage?: RunUsage | undefined };

export const endedRecord = (record: MessageRunRecord, { at, error, attempt, usage }: End): MessageRunRecord => ({
  ...record,
  state: stateAfter(error),
  attempt: attempt ?? record.attempt,
  usage: usage ?? record.usage,
  endedAt: at,
  ending: error === null ? null : { code: error.code, message: error.message },
});

export const modelOf = ({ model }: Pick<Session, "model">): MessageRunRecord["model"] => ({
  name: model,
  source: model === null ? "hall" : "request",
});

/** How a run ended. Its session is idle after it, whatever came of it. */
export function stateAfter(error: SessionFailure | null): RunState {
  if (error === null) return "completed";
  return error.code === "stopped" ? "cancelled" : "failed";
}
