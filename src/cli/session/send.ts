import { SendMessage } from "../../schema/session.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { findSession } from "./find-session.ts";
import { followToEnd } from "./follow-to-end.ts";
import { readWords } from "./read-words.ts";
import type { SendFlags } from "./session-flags.ts";

export async function sendMessage(wanted: string, typed: string | undefined, flags: SendFlags, context: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, context.shell);
  const { id } = await findSession(client.sessions, wanted);
  const text = checked(SendMessage.shape.text, await readWords(typed, context.shell), "The message");
  const { messageId } = await client.sessions.send(id, text, { queue: flags.queue === true });
  if (flags.detach !== true) return followToEnd({ client, id, messageId }, context);
  context.printer.result({ sessionId: id, messageId }, `Sent. Follow the answer with: guild-hall session tail ${id}`);
}
