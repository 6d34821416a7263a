import { HallError } from "../../schema/hall-error.ts";
import { ChangeSession } from "../../schema/session.ts";
import { createAsk } from "../ask.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { quoted } from "../safe-text.ts";
import { findSession } from "./find-session.ts";
import type { DeleteFlags, HomeFlag } from "./session-flags.ts";

const sentences = {
  stop: "is stopped. What was said so far is kept.",
  complete: "is completed. It takes no more messages.",
  renew: "is renewed: a new conversation on the same history and context.",
};

/** What a person says about a session in one word. */
export type Word = keyof typeof sentences;

export async function sayWord(word: Word, wanted: string, flags: HomeFlag, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const { id } = await findSession(client.sessions, wanted);
  const session = await client.sessions[word](id);
  printer.result(session, `${quoted(session.name)} ${sentences[word]}`);
}

export async function renameSession(wanted: string, name: string, flags: HomeFlag, { printer, shell }: CommandContext): Promise<void> {
  const checkedName = checked(ChangeSession.shape.name.unwrap(), name, "The name of a session");
  const { client } = await findHall(flags.home, shell);
  const { id, name: before } = await findSession(client.sessions, wanted);
  const session = await client.sessions.change(id, { name: checkedName });
  printer.result(session, `${quoted(before)} is now ${quoted(session.name)}.`);
}

export async function deleteSession(wanted: string, flags: DeleteFlags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const { id, name, messageCount } = await findSession(client.sessions, wanted);
  const question = `Delete ${quoted(name)} (${id}) with its ${messageCount} messages and all files in its folder? This cannot be undone.`;
  if (flags.yes !== true && !(await createAsk(shell)(question))) throw new HallError("stopped", "Nothing was deleted.");
  await client.sessions.remove(id);
  printer.result({ deleted: id }, `${quoted(name)} is deleted.`);
}
