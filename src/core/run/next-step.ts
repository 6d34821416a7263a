import type { JobRun, RunPrompt, WaitingFor } from "../../schema/run.ts";
import type { Transcript } from "../agent/agent-run.ts";

/** A call of the model that waits or waited for something besides its process. */
export type RunCall = WaitingCall | SettledCall;

type WaitingCall = { callId: string; waitingFor: WaitingFor };

type SettledCall = {
  /** What a prompt that tells of it is known by. */
  key: string;
  callId: string;
  tool: string;
  outcome: string;
  /** The model was told to act on it and has not yet: it is told again if a crash cut it off. */
  isDue?: true;
};

const isWaiting = (call: RunCall): call is WaitingCall => "waitingFor" in call;
const isSettled = (call: RunCall): call is SettledCall => "outcome" in call;

export type Step =
  | { next: "wait"; for: WaitingFor }
  | { next: "send"; prompt: RunPrompt }
  | { next: "tell"; prompt: Omit<RunPrompt, "id"> }
  | { next: "end"; text: string };

/** Begins the result of a call that was parked, which is not the real one. */
export const parkedMark = "[This call waits.]";

/** Whether the model got a real result of the call. Only the hall's own log knows. */
export const isAnsweredIn =
  (results: ReadonlyMap<string, string>) =>
  (callId: string): boolean =>
    results.get(callId)?.includes(parkedMark) === false;

type Known = { run: JobRun; transcript: Transcript; results: ReadonlyMap<string, string>; calls: readonly RunCall[] };

/** What comes next for a run that has no process. */
export function nextStep({ run, transcript, results, calls }: Known): Step {
  const told = new Set(run.prompts.flatMap(({ id, tells }) => (transcript.prompts.has(id) ? tells : [])));
  const isAnswered = isAnsweredIn(results);
  const waiting = calls.filter(isWaiting).find(({ callId }) => !isAnswered(callId));
  if (waiting !== undefined) return { next: "wait", for: waiting.waitingFor };
  const settled = calls.filter(isSettled);
  const open = settled.filter(({ key, callId }) => !told.has(key) && !isAnswered(callId));

  const [task] = run.prompts;
  const last = run.prompts.at(-1);
  // A process that was killed early leaves no conversation, and then everything is told from the start.
  const isNew = transcript.prompts.size === 0;
  if (open.length === 0 && task !== undefined && isNew) return { next: "send", prompt: task };
  if (open.length === 0 && last !== undefined && !transcript.prompts.has(last.id)) return { next: "send", prompt: last };
  // A turn that ended on a result that the hall did not give has not really ended.
  const isWhole = transcript.calls.every(({ id }) => results.has(id));
  if (open.length === 0 && isWhole && transcript.ending !== null) return { next: "end", text: transcript.ending };

  const text = open.length === 0 ? afterCrash(settled.filter(({ isDue }) => isDue === true)) : wordsOf(open);
  return { next: "tell", prompt: { text: isNew ? `${task?.text}\n\n${text}` : text, tells: open.map(({ key }) => key) } };
}

const afterCrash = (due: readonly SettledCall[]): string =>
  ["You were interrupted while you worked, and go on now.", due.length === 0 ? "Go on with your task." : wordsOf(due)].join("\n");

const wordsOf = (calls: readonly SettledCall[]): string =>
  ["The calls that waited are settled:", ...calls.map(({ tool, outcome }) => `- ${tool}: ${outcome}`), "Go on with your task."].join("\n");
