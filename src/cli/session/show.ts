import { z } from "zod";
import type { HallClient } from "../../client/hall-client.ts";
import { newestFirst } from "../../client/session-history.ts";
import type { SessionId } from "../../schema/ids.ts";
import { money } from "../../schema/money.ts";
import type { Message, Session } from "../../schema/session.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { createOutput } from "../output.ts";
import { waitSentence } from "../run/wait-sentence.ts";
import { safeText } from "../safe-text.ts";
import { table } from "../table.ts";
import { findSession } from "./find-session.ts";
import type { ShowFlags } from "./session-flags.ts";
import { callLine, resultLine } from "./tool-text.ts";

const Count = z.coerce.number("must be a whole number").int("must be a whole number").min(0, "must not be negative");

/** A session and what was said in it last. */
export async function showSession(wanted: string, flags: ShowFlags, { printer, shell }: CommandContext): Promise<void> {
  const count = checked(Count, flags.messages ?? "10", "--messages");
  const { client } = await findHall(flags.home, shell);
  const session = await findSession(client.sessions, wanted);
  const messages = await lastMessages(client, session.id, count);
  const { clean } = createOutput(shell);
  const text = [table(facts(session)).join("\n"), ...messages.map((message) => messageText(message, clean))].join("\n\n");
  printer.result({ session, messages }, text);
}

async function lastMessages(client: HallClient, id: SessionId, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  if (count === 0) return messages;
  for await (const message of newestFirst(client.sessions, id)) if (messages.push(message) === count) break;
  return messages.toReversed();
}

const facts = (session: Session): string[][] => [
  ["name", safeText(session.name)],
  ["id", session.id],
  ["status", session.status],
  ...(session.error === null ? [] : [["error", safeText(session.error.message)]]),
  ...(session.waitingFor === null ? [] : [["waits", waitSentence(session.waitingFor, Date.now())]]),
  ["members", session.members.length === 0 ? "none" : safeText(session.members.join(", "))],
  ["model", safeText(session.model ?? "that of the hall")],
  ["began", session.createdAt],
  ["last", session.lastActivityAt],
  ["messages", String(session.messageCount)],
  ["cost", money(session.costUsd)],
];

const speakers: Record<Message["role"], string> = { user: "You", assistant: "Agent" };

/** What was said is set in, so that nothing in it can pass for the head of another message. */
function messageText({ role, at, blocks, interrupted, note }: Message, clean: (text: string) => string): string {
  const toolNames = new Map(blocks.flatMap((block) => (block.type === "tool_use" ? [[block.id, block.name] as const] : [])));
  const lines = blocks.map((block) => {
    if (block.type === "text") return clean(block.text.trim());
    return safeText(block.type === "tool_use" ? callLine(block.name, block.input) : resultLine(toolNames.get(block.id) ?? "tool", block));
  });
  const head = `${speakers[role]}, ${at}${note === undefined ? "" : ", a note"}${interrupted === true ? ", broken off" : ""}`;
  return [head, ...lines.flatMap((text) => text.split("\n")).map((line) => `  ${line}`.trimEnd())].join("\n");
}
