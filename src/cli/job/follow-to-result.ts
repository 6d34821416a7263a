import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import type { JobDetail, JobUsage } from "../../schema/job.ts";
import { money } from "../../schema/money.ts";
import type { CommandContext } from "../command-context.ts";
import { createOutput } from "../output.ts";
import { safeText } from "../safe-text.ts";
import { askPatiently } from "../session/ask-patiently.ts";
import { createEventLines } from "./event-line.ts";
import type { JobName } from "./find-job.ts";
import { followJob } from "./follow-job.ts";

/** Tells on stderr what happens in a job, and prints its result when it is over. Ctrl-C leaves, and the job goes on. */
export async function followToResult(
  { client, worker, jobId }: JobName & { client: HallClient },
  { printer, shell, takeOverInterrupt }: CommandContext,
): Promise<void> {
  const leaving = new AbortController();
  const { signal } = leaving;
  takeOverInterrupt();
  // The launcher passes on what the terminal sends as well, so it may come twice.
  shell.on("SIGINT", () => leaving.abort());
  const lineOf = createEventLines();
  const say = (text: string) => printer.progress(safeText(text));
  const job = await followJob({
    client,
    worker,
    jobId,
    signal,
    onEvent: (event) => say(lineOf(event)),
    onSummary: (text) => say(`… ${text}`),
  });
  for (const line of closingLines(job)) say(line);
  if (job.status !== "completed") shell.exitCode = exitCodes.conflict;
  const result = job.status === "completed" ? await askPatiently(signal, () => client.jobs.result(worker, jobId)) : null;
  if (printer.isJson) printer.result({ job, result }, "");
  else if (result !== null) printer.result(result, createOutput(shell).clean(result.output.trimEnd()));
}

export function closingLines({ worker, jobId, status, error, usage, asked }: JobDetail): string[] {
  const open = asked.filter(({ isOpen }) => isOpen).length;
  return [
    ...(status === "completed"
      ? []
      : [`The job ${status === "failed" ? `failed: ${error ?? "its worker does not say why."}` : "was cancelled."}`]),
    ...(open === 0
      ? []
      : [`${open === 1 ? "One question waits" : `${open} questions wait`} for an answer: guild-hall job answer ${worker} ${jobId}`]),
    ...(usage === null || usage === undefined ? [] : [usageLine(usage)]),
  ];
}

const usageLine = ({ turns, costUsd }: JobUsage): string => `${turns} ${turns === 1 ? "turn" : "turns"}, ${money(costUsd)}`;
