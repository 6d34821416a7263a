import { CreateSession, SendMessage } from "../../schema/session.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { quoted } from "../safe-text.ts";
import { followToEnd } from "./follow-to-end.ts";
import { readNamedFile } from "./read-words.ts";
import type { NewFlags } from "./session-flags.ts";

export async function newSession(name: string, flags: NewFlags, context: CommandContext): Promise<void> {
  const { printer, shell } = context;
  const text = flags.send === undefined ? undefined : checked(SendMessage.shape.text, flags.send, "The message");
  const request = {
    name: checked(CreateSession.shape.name, name, "The name of a session"),
    members: flags.member ?? [],
    ...(flags.model === undefined ? {} : { model: checked(CreateSession.shape.model.unwrap(), flags.model, "The model") }),
    ...(flags.context === undefined ? {} : { context: await readNamedFile(flags.context, shell) }),
  };
  const { client } = await findHall(flags.home, shell);
  const session = await client.sessions.create(request);
  const sentence = `Session ${quoted(session.name)} is ready: ${session.id}`;
  if (text === undefined) return printer.result(session, sentence);
  const { messageId } = await client.sessions.send(session.id, text);
  if (flags.detach === true) return printer.result({ session, messageId }, `${sentence}\nThe message was sent.`);
  printer.progress(sentence);
  await followToEnd({ client, id: session.id, messageId }, context);
}
