import { MessageId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { safeText } from "../safe-text.ts";
import { table } from "../table.ts";
import { findSession } from "./find-session.ts";
import { followToEnd } from "./follow-to-end.ts";
import type { QueueFlags } from "./session-flags.ts";

/** What waits for its turn: shown, sent on, or taken back. */
export async function showQueue(wanted: string, flags: QueueFlags, context: CommandContext): Promise<void> {
  const { printer, shell } = context;
  const taken = flags.remove === undefined ? undefined : checked(MessageId, flags.remove, "--remove");
  const { client } = await findHall(flags.home, shell);
  const { id } = await findSession(client.sessions, wanted);
  if (taken !== undefined) {
    await client.sessions.queue.remove(id, taken);
    return printer.result({ removed: taken }, `${taken} was taken back.`);
  }
  if (flags.send === true) {
    const { messageId } = await client.sessions.queue.send(id);
    return followToEnd({ client, id, messageId }, context);
  }
  const queue = await client.sessions.queue.list(id);
  printer.result(queue, queue.messages.length === 0 ? "Nothing waits." : table(queue.messages.map(row)).join("\n"));
}

const longestLine = 100;

function row({ id, blocks }: Message): string[] {
  const text = safeText(blocks.map((block) => (block.type === "text" ? block.text : "")).join(" ")).replaceAll(/\s+/g, " ");
  return [id, text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text];
}
