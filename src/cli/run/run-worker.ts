import { setTimeout as pause } from "node:timers/promises";
import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { JobRunId } from "../../schema/ids.ts";
import type { RunDetail, WaitingFor } from "../../schema/run.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { typed } from "../job/dispatch.ts";
import { safeText } from "../safe-text.ts";
import { readWords } from "../session/read-words.ts";
import { sayOf } from "./approvals.ts";
import { askAtLimit } from "./ask-at-limit.ts";
import { decisions } from "./run-commands.ts";
import type { RunCommands } from "./run-commands.ts";
import { retryLine } from "./retry-line.ts";
import { createWaitLine } from "./wait-line.ts";
import type { WaitLine } from "./wait-line.ts";

const lookMs = 300;

/** Starts a run and follows it to its end. Each wait is printed once. */
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
  const print = (text: string) => {
    waitLine.end();
    printer.progress(safeText(text));
  };
  const printApprovals = createApprovalPrinter(client, print);
  const printWait = createWaitPrinter(waitLine, print);
  const leaving = new AbortController();
  const { signal } = leaving;
  // Reading the record fails as well if the hall is away, and that ends the command.
  const warnings = printWarnings({ client, id, signal }, print).catch(() => undefined);
  try {
    for (;;) {
      const run = await client.runs.get(id);
      if (run.endedAt !== null) await warnings;
      await printWait(run.waitingFor);
      if (run.endedAt !== null) return run;
      await printApprovals(run);
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
    leaving.abort();
    waitLine.end();
  }
}

type Print = (text: string) => void;

/** Prints what only the run's stream has: limits that are near, and requests to the model that are repeated. */
async function printWarnings(
  { client, id, signal }: { client: Pick<HallClient, "runs">; id: string; signal: AbortSignal },
  print: Print,
): Promise<void> {
  for await (const { event } of client.runs.events(id, { signal })) {
    if (event.event === "near_limit") print(event.data.message);
    if (event.event === "status" && event.data.retry !== undefined) print(retryLine(event.data.retry));
  }
}

/** Prints each wait once, and when it is over. */
function createWaitPrinter(waitLine: WaitLine, print: Print) {
  let shown: string | null = null;
  return async (waitingFor: WaitingFor | null): Promise<void> => {
    const present = waitingFor === null ? null : JSON.stringify(waitingFor);
    if (present === shown) return;
    shown = present;
    if (waitingFor === null) print("It resumes.");
    // The approval itself is printed with the command that decides it.
    else if (waitingFor.kind !== "person") await waitLine.show(waitingFor);
  };
}

function createApprovalPrinter(client: Pick<HallClient, "approvals">, print: Print) {
  const shown = new Set<string>();
  return async (run: RunDetail): Promise<void> => {
    const { approvals } = await client.approvals.list({ state: "pending" });
    for (const approval of approvals.filter(({ root, id }) => root === run.root && !shown.has(id))) {
      shown.add(approval.id);
      print(`${sayOf(approval)}\nDecide with: guild-hall approvals approve ${approval.id} --hash ${approval.inputHash}`);
    }
  };
}

const failureOf = ({ ending }: RunDetail): HallError =>
  new HallError("stopped", ending?.message ?? "The run ended without saying why.", { details: { ending } });
