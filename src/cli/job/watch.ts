import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { findJob } from "./find-job.ts";
import { followToResult } from "./follow-to-result.ts";
import type { HomeFlag } from "./job-flags.ts";

export async function watchJob(worker: string, wanted: string, flags: HomeFlag, context: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, context.shell);
  await followToResult({ client, ...(await findJob(client.jobs, worker, wanted)) }, context);
}
