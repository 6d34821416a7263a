import { resolve } from "node:path";
import { z } from "zod";
import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { DispatchJob } from "../../schema/job.ts";
import { rehearse } from "../../server/compose/rehearsal.ts";
import { checked } from "../checked.ts";
import { chooseHome } from "../chosen-home.ts";
import type { CommandContext } from "../command-context.ts";
import { readSettings } from "../job/dispatch.ts";
import { createEventLines } from "../job/event-line.ts";
import { safeText } from "../safe-text.ts";
import { createStopSignal } from "../stop-signal.ts";
import { readVersion } from "../version.ts";
import { report } from "./report.ts";

export type RehearseFlags = { script?: string; task?: string; config?: string; timeLimit?: string; home?: string };

const atLeastOne = "must be a number of seconds, at least 1 and at most 3600";
const Seconds = z.coerce.number(atLeastOne).min(1, atLeastOne).max(3600, atLeastOne);

/** Where nobody says what to do, the script knows what is to happen anyway. */
const anyTask = "This is a rehearsal. Do your work as you would for a person.";

export async function runRehearsal(
  given: string,
  flags: RehearseFlags,
  { printer, shell, takeOverInterrupt }: CommandContext,
): Promise<void> {
  const limit = checked(Seconds, flags.timeLimit ?? "120", "--time-limit");
  const folder = shell.cwd();
  const { home, env, warnings } = await chooseHome(flags.home, shell);
  for (const warning of warnings) printer.warn(safeText(warning));
  const config = flags.config === undefined ? {} : { config: readSettings(flags.config) };
  const task = checked(DispatchJob.shape.task, flags.task ?? anyTask, "The task");
  const leaving = new AbortController();
  takeOverInterrupt();
  // Whoever leaves, however, leaves nothing running. To end a worker takes two seconds at most, so nobody has to insist.
  void createStopSignal(shell).requested.then(() => leaving.abort());
  const lineOf = createEventLines();
  const say = (text: string) => printer.progress(safeText(text));
  const rehearsal = await rehearse({
    member: isPath(given) ? { folder: resolve(folder, given) } : { home, name: checked(MemberName, given, "The name of a member") },
    scriptFile: flags.script === undefined ? null : resolve(folder, flags.script),
    job: { description: "Rehearsal", task, ...config },
    limitMs: limit * 1000,
    env,
    version: readVersion(),
    signal: leaving.signal,
    onProgress: say,
    onEvent: (event) => say(lineOf(event)),
    onSummary: (summary) => say(`… ${summary}`),
  }).catch((error: unknown) => {
    throw leaving.signal.aborted ? new HallError("interrupted", "The rehearsal was broken off.", { cause: error }) : error;
  });
  if (!rehearsal.passed) shell.exitCode = exitCodes.conflict;
  printer.result(rehearsal, report(rehearsal));
}

/** As in a shell: a name without a slash is looked for where names are looked for. */
const isPath = (given: string): boolean => /[\\/]/.test(given) || given === "." || given === "..";
