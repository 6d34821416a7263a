import type { RunAction, RunState, WaitingFor } from "../../schema/run.ts";

type Acted = {
  state: RunState;
  waitingFor: WaitingFor | null;
  /** Whether its agent reads notes. */
  readsNotes: boolean;
};

/** What a person can do with a run now. Pages, commands and programs offer the same. */
export function actionsOf({ state, waitingFor, readsNotes }: Acted): RunAction[] {
  const hasEnded = state === "completed" || state === "failed" || state === "cancelled";
  const ended = hasEnded ? "The run has ended." : null;
  const atLimit = waitingFor?.kind === "budget" ? null : "The run does not wait for a limit of its own.";
  return [
    action("stop", ended),
    action("resume", ended ?? (waitingFor?.kind === "limit" ? null : "The run does not wait for the model's usage limit.")),
    action("raise", ended ?? atLimit),
    action("finish", ended ?? atLimit),
    action("note", ended ?? (readsNotes ? null : "The agent of this run reads no notes.")),
  ];
}

const action = (verb: RunAction["verb"], reason: string | null): RunAction =>
  reason === null ? { verb, allowed: true } : { verb, allowed: false, reason };
