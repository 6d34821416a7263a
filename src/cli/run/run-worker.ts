import { setTimeout as pause } from "node:timers/promises";
import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { JobRunId } from "../../schema/ids.ts";
import type { RunDetail, WaitingFor } from "../../schema/run.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { typed } from "../job/dispatch.ts";
import { readWords } from "../session/read-words.ts";
import { sayOf } from "./approvals.ts";
import { askAtLimit } from "./ask-at-limit.ts";
import { decisions } from "./run-commands.ts";
import type { RunCommands } from "./run-commands.ts";
import { createWaitLine } from "./wait-line.ts";
import type { WaitLine } from "./wait-line.ts";

const lookMs = 300;

/** Starts a run and follows it to its end. What it waits for is told once. */
export async function runWorker(
  worker: string,
  words: readonly string[],
  flags: { home?: string },
  context: CommandContext,
): Promise<void> {
  const { printer, shell } = context;
  const { client } = await findHall(flags.home, shell);
  const task = await readWords(typed(words), shell);
  const { jobId } = await client.jobs.dispatch(worker, { description: task.slice(0, 80), task });
  if (!JobRunId.safeParse(jobId).success) {
    return printer.result({ worker, jobId }, `${worker} is a guild member. Look on with: guild-hall job watch ${worker} ${jobId}`);
  }
  printer.progress(`${worker} works as ${jobId}.`);
  const run = await follow(client, jobId, context);
  printer.result(run, run.output ?? "");
  if (run.endedAt === null) shell.exitCode = exitCodes.conflict;
  else if (run.state !== "completed") throw failureOf(run);
}

/** Returns the run when it has ended, or when the person leaves it waiting at its own limit. */
async function follow(client: HallClient, id: string, { printer, shell }: CommandContext): Promise<RunDetail> {
  const commands: RunCommands = { group: "runs", id };
  const waitLine = createWaitLine({ printer, shell, commands, isPaused: async () => (await client.runs.state()).isPaused });
  const tellApprovals = createApprovalTeller(client, (text) => {
    waitLine.end();
    printer.progress(text);
  });
  const tellWait = createWaitTeller(waitLine, printer);
  const { signal } = new AbortController();
  try {
    for (;;) {
      const run = await client.runs.get(id);
      await tellWait(run.waitingFor);
      if (run.endedAt !== null) return run;
      await tellApprovals(run);
      if (run.waitingFor?.kind === "budget") {
        const { limit } = run.waitingFor;
        if (!(await askAtLimit({ client, runId: id, limit, signal }, { printer, shell }))) {
          printer.progress(decisions(commands, limit));
          return run;
        }
      }
      await pause(lookMs);
    }
  } finally {
    waitLine.end();
  }
}

/** Says each wait once, and when it is over. */
function createWaitTeller(waitLine: WaitLine, printer: CommandContext["printer"]) {
  let told: string | null = null;
  return async (waitingFor: WaitingFor | null): Promise<void> => {
    const present = waitingFor === null ? null : JSON.stringify(waitingFor);
    if (present === told) return;
    told = present;
    waitLine.end();
    if (waitingFor === null) printer.progress("It resumes.");
    // The approval itself is printed with the command that decides it.
    else if (waitingFor.kind !== "person") await waitLine.show(waitingFor);
  };
}

function createApprovalTeller(client: Pick<HallClient, "approvals">, say: (text: string) => void) {
  const told = new Set<string>();
  return async (run: RunDetail): Promise<void> => {
    const { approvals } = await client.approvals.list({ state: "pending" });
    for (const approval of approvals.filter(({ root, id }) => root === run.root && !told.has(id))) {
      told.add(approval.id);
      say(`${sayOf(approval)}\nDecide with: guild-hall approvals approve ${approval.id} --hash ${approval.inputHash}`);
    }
  };
}

const failureOf = ({ ending }: RunDetail): HallError =>
  new HallError("stopped", ending?.message ?? "The run ended without saying why.", { details: { ending } });
