import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { DispatchJob } from "../../schema/job.ts";
import { parseJson } from "../../schema/parse-json.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { readWords } from "../session/read-words.ts";
import { followToResult } from "./follow-to-result.ts";
import type { DispatchFlags } from "./job-flags.ts";

/** The id of the new job is the result, so that a script can go on with it. */
export async function dispatchJob(given: string, words: readonly string[], flags: DispatchFlags, context: CommandContext): Promise<void> {
  const { printer, shell } = context;
  const worker = checked(MemberName, given, "The name of a worker");
  const config = flags.config === undefined ? {} : { config: readSettings(flags.config) };
  const { client } = await findHall(flags.home, shell);
  const task = checked(DispatchJob.shape.task, await readWords(typed(words), shell), "The task");
  const description = checked(DispatchJob.shape.description, flags.description ?? firstLineOf(task), "The description");
  const { jobId } = await client.jobs.dispatch(worker, { description, task, ...config });
  if (flags.follow === true) return followToResult({ client, worker, jobId }, context);
  printer.progress(`${worker} has the job. Look on with: guild-hall job watch ${worker} ${jobId}`);
  printer.result({ worker, jobId }, jobId);
}

/** Words need no quotes around them. */
export const typed = (words: readonly string[]): string | undefined => (words.length === 0 ? undefined : words.join(" "));

/** For `--config`: settings of one job, as JSON. */
export function readSettings(text: string): Record<string, unknown> {
  const settings = z.record(z.string(), z.unknown()).safeParse(readJson(text));
  if (settings.success) return settings.data;
  throw new HallError(
    "bad_request",
    `--config needs a JSON object, such as '{ "maxTurns": 20 }', and this is none: ${shortened(text, 60)}`,
  );
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof HallError) throw error;
    return null;
  }
}

const longestDescription = 80;

const firstLineOf = (task: string): string => shortened(task.split("\n", 1)[0]?.trim() ?? "", longestDescription);

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
