import { lastQuestion } from "../../client/session-history.ts";
import { HallError } from "../../schema/hall-error.ts";
import { RunNote } from "../../schema/run.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { finish, raise, tryNow } from "../run/verbs.ts";
import type { NamedRun } from "../run/verbs.ts";
import { quoted } from "../safe-text.ts";
import { findSession } from "./find-session.ts";
import { readWords } from "./read-words.ts";
import type { HomeFlag } from "./session-flags.ts";

export async function raiseSession(wanted: string, amount: string, flags: HomeFlag, context: CommandContext): Promise<void> {
  await raise(await presentRun(wanted, flags, context), amount, context);
}

export async function finishSession(wanted: string, flags: HomeFlag, context: CommandContext): Promise<void> {
  await finish(await presentRun(wanted, flags, context), context);
}

export async function trySession(wanted: string, flags: HomeFlag, context: CommandContext): Promise<void> {
  await tryNow(await presentRun(wanted, flags, context), context);
}

/** A word to the agent while it works. */
export async function sendNote(wanted: string, typed: string | undefined, flags: HomeFlag, context: CommandContext): Promise<void> {
  const text = checked(RunNote.shape.text, await readWords(typed, context.shell), "The note");
  const { client, id } = await presentRun(wanted, flags, context);
  const note = await client.runs.note(id, text);
  context.printer.result(note, "Sent. The agent reads it at its next tool call. If it makes none, it gets it as the next message.");
}

async function presentRun(wanted: string, { home }: HomeFlag, { shell }: CommandContext): Promise<NamedRun> {
  const { client } = await findHall(home, shell);
  const { id } = await findSession(client.sessions, wanted);
  const newest = await client.sessions.get(id);
  const message = newest.session.status === "running" ? await lastQuestion(client.sessions, id, newest) : null;
  if (message === null) throw new HallError("conflict", `Nothing runs in session ${quoted(newest.session.name)}.`);
  return { client, id: message, name: quoted(newest.session.name) };
}
