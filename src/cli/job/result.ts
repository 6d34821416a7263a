import { resolve } from "node:path";
import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { mustBeWritable, saveBytes } from "../member/content.ts";
import { createOutput } from "../output.ts";
import { safeText } from "../safe-text.ts";
import type { Shell } from "../shell.ts";
import { findJob } from "./find-job.ts";
import type { JobName } from "./find-job.ts";
import type { ResultFlags } from "./job-flags.ts";

export async function showResult(given: string, wanted: string, flags: ResultFlags, { printer, shell }: CommandContext): Promise<void> {
  const out = flags.out === undefined ? undefined : resolve(shell.cwd(), flags.out);
  if (out !== undefined) await mustBeWritable(out);
  const { client } = await findHall(flags.home, shell);
  const job = await findJob(client.jobs, given, wanted);
  const result = await client.jobs.result(job.worker, job.jobId);
  for (const path of result.artifacts ?? []) {
    printer.progress(safeText(out === undefined ? `+ ${path}` : await saved({ client, shell, folder: out }, job, path)));
  }
  printer.result(result, createOutput(shell).clean(result.output.trimEnd()));
}

type Means = { client: HallClient; shell: Shell; folder: string };

/** One file that cannot be had does not keep the result and the others away. */
async function saved({ client: { jobs }, shell, folder }: Means, { worker, jobId }: JobName, path: string): Promise<string> {
  try {
    const answer = await jobs.readArtifact(worker, jobId, path);
    return `Saved ${await saveBytes(new Uint8Array(await answer.arrayBuffer()), folder, path.replace(/^artifacts\//, ""))}`;
  } catch (error) {
    shell.exitCode = exitCodes.conflict;
    return `${path} could not be saved: ${error instanceof Error ? error.message : String(error)}`;
  }
}
