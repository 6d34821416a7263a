import { HallError } from "../../schema/hall-error.ts";
import { createAsk } from "../ask.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { quoted } from "../safe-text.ts";
import { findJob } from "./find-job.ts";
import type { HideFlags, HomeFlag, SureFlags } from "./job-flags.ts";

export async function cancelJob(given: string, wanted: string, flags: HomeFlag, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const { worker, jobId } = await findJob(client.jobs, given, wanted);
  const cancelled = await client.jobs.cancel(worker, jobId);
  printer.result(
    cancelled,
    cancelled.status === "cancelled" ? `${jobId} is cancelled.` : `${jobId} was over already: ${cancelled.status}.`,
  );
}

export async function deleteJob(given: string, wanted: string, flags: SureFlags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const { worker, jobId } = await findJob(client.jobs, given, wanted);
  const { description } = await client.jobs.get(worker, jobId);
  const question = `Delete ${quoted(description)} (${jobId}) with its result and all its files? This cannot be undone.`;
  if (flags.yes !== true && !(await createAsk(shell)(question))) throw new HallError("stopped", "Nothing was deleted.");
  const deleted = await client.jobs.remove(worker, jobId);
  printer.result(deleted, `${quoted(description)} is deleted.`);
}

export async function hideJob(given: string, wanted: string, flags: HideFlags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const { worker, jobId } = await findJob(client.jobs, given, wanted);
  const isHidden = flags.undo !== true;
  await (isHidden ? client.jobs.hide(worker, jobId) : client.jobs.show(worker, jobId));
  printer.result(
    { worker, jobId, hidden: isHidden },
    isHidden ? `${jobId} is hidden. List it with --hidden.` : `${jobId} is in lists again.`,
  );
}
