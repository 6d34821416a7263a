import { setTimeout as pause } from "node:timers/promises";
import { HallError } from "../../schema/hall-error.ts";
import { JobRunId } from "../../schema/ids.ts";
import type { RunDetail } from "../../schema/run.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { typed } from "../job/dispatch.ts";
import { readWords } from "../session/read-words.ts";
import { sayOf } from "./approvals.ts";

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
  const told = new Set<string>();
  let run = await client.runs.get(jobId);
  for (; run.endedAt === null; run = await client.runs.get(jobId)) {
    const { approvals } = await client.approvals.list({ state: "pending" });
    for (const approval of approvals.filter(({ root, id }) => root === run.root && !told.has(id))) {
      told.add(approval.id);
      printer.progress(`${sayOf(approval)}\nDecide with: guild-hall approvals approve ${approval.id} --hash ${approval.inputHash}`);
    }
    await pause(lookMs);
  }
  printer.result(run, run.output ?? "");
  if (run.state !== "completed") throw failureOf(run);
}

const failureOf = ({ ending }: RunDetail): HallError =>
  new HallError("stopped", ending?.message ?? "The run ended without saying why.", { details: { ending } });
