import type { HallClient } from "../../client/hall-client.ts";
import { pause } from "../../client/read-query.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { LimitKind } from "../../schema/run.ts";
import { askLine, isAtTerminal } from "../ask.ts";
import type { CommandContext } from "../command-context.ts";
import { safeText } from "../safe-text.ts";
import { raiseRun } from "./raise-run.ts";
import { unitOf } from "./run-commands.ts";

type AtLimit = { client: Pick<HallClient, "runs">; runId: string; limit: LimitKind; signal: AbortSignal };

/** Lets the person at the terminal decide about a run that waits at its own limit. Returns false if it is left waiting. */
export async function askAtLimit(at: AtLimit, { printer, shell }: Pick<CommandContext, "printer" | "shell">): Promise<boolean> {
  if (!isAtTerminal(shell) || printer.isJson) return false;
  const question = `Raise it to how many ${unitOf(at.limit)}? Or type finish to end it with what there is, or stop; Enter leaves it waiting: `;
  const answered = new AbortController();
  const elsewhere = new AbortController();
  void watch(at, answered.signal).then((isDecided) => (isDecided ? elsewhere.abort() : undefined));
  const signal = AbortSignal.any([at.signal, elsewhere.signal]);
  try {
    for (;;) {
      const typed = (await askLine(shell, question, signal)).trim();
      if (signal.aborted) shell.stderr.write("\n");
      if (typed === "") return elsewhere.signal.aborted;
      const problem = await decide(at, typed);
      if (problem === null) return true;
      printer.progress(safeText(problem.message));
      if (!(await isStillWaiting(at))) return true;
    }
  } finally {
    answered.abort();
  }
}

const lookMs = 1000;

/** Resolves with true when the run no longer waits, for example because a person decided in the browser. */
async function watch(at: AtLimit, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await pause(lookMs, signal);
    if (!(await isStillWaiting(at))) return !signal.aborted;
  }
  return false;
}

/** True also if the hall cannot be asked now. */
async function isStillWaiting({ client, runId }: AtLimit): Promise<boolean> {
  try {
    return (await client.runs.get(runId)).waitingFor?.kind === "budget";
  } catch (error) {
    return !(error instanceof HallError && error.code === "not_found");
  }
}

async function decide({ client, runId }: AtLimit, typed: string): Promise<HallError | null> {
  try {
    if (typed === "finish") await client.runs.finish(runId);
    else if (typed === "stop") await client.runs.stop(runId);
    else await raiseRun(client, runId, typed);
    return null;
  } catch (error) {
    if (error instanceof HallError) return error;
    throw error;
  }
}
