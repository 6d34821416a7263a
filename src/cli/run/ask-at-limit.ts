import type { HallClient } from "../../client/hall-client.ts";
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
  for (;;) {
    const typed = (await askLine(shell, question, at.signal)).trim();
    if (at.signal.aborted) shell.stderr.write("\n");
    if (typed === "") return false;
    const problem = await decide(at, typed);
    if (problem === null) return true;
    printer.progress(safeText(problem.message));
    // It was decided elsewhere.
    if (problem.code === "conflict" || problem.code === "not_found") return true;
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
