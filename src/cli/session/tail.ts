import type { HallClient } from "../../client/hall-client.ts";
import { newestFirst } from "../../client/session-history.ts";
import { sessionNews } from "../../client/session-news.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import { isQuestion } from "../../schema/session.ts";
import type { Message, Session } from "../../schema/session.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import type { Printer } from "../printer.ts";
import { quoted, safeText } from "../safe-text.ts";
import { askPatiently, hallPatience, left } from "./ask-patiently.ts";
import { findSession } from "./find-session.ts";
import { printAnswer } from "./print-answer.ts";
import type { TailFlags } from "./session-flags.ts";

/** Looks on: the running query from its start, then every one that follows. Ctrl-C leaves, and stops nothing. */
export async function tailSession(wanted: string, flags: TailFlags, { printer, shell, takeOverInterrupt }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const session = await findSession(client.sessions, wanted);
  const leaving = new AbortController();
  takeOverInterrupt();
  // The launcher passes on what the terminal sends as well, so it may come twice.
  shell.on("SIGINT", () => leaving.abort());
  const looking = { client, id: session.id, signal: leaving.signal };
  const follow = async (message: Message): Promise<void> => {
    printer.progress(asQuote(message));
    await printAnswer({ ...looking, messageId: message.id, atLimit: isOnlyOne(flags, printer) ? "leave" : "stay" }, { printer, shell });
  };

  // In this order: a query that begins meanwhile is seen by its session, or by its message later.
  const last = await lastAsked(client, session.id);
  const { session: now } = await client.sessions.get(session.id, { limit: 1 });
  if (last !== null && isUnderWay(last, now)) await follow(last.message);
  else if (isOnlyOne(flags, printer)) return sayNothingRuns(now, printer);
  if (isOnlyOne(flags, printer)) return;

  let seen = last?.message.id ?? null;
  for await (const _news of sessionNews({ ...looking, patience: hallPatience })) {
    for (const message of await askPatiently(leaving.signal, () => askedSince(client, session.id, seen))) {
      await follow(message);
      seen = message.id;
    }
  }
  throw left();
}

/** One JSON document can tell of one query. */
const isOnlyOne = ({ once }: TailFlags, { isJson }: Printer): boolean => once === true || isJson;

function sayNothingRuns(session: Session, printer: Printer): void {
  const sentence = `Nothing runs in ${quoted(session.name)}.`;
  if (printer.isJson) printer.result({ session, messageId: null, messages: [], usage: null, error: null }, "");
  else printer.progress(sentence);
}

type LastAsked = { message: Message; /** Nothing was said behind it. */ isNewest: boolean };

async function lastAsked(client: HallClient, id: SessionId): Promise<LastAsked | null> {
  let isNewest = true;
  for await (const message of newestFirst(client.sessions, id)) {
    if (isQuestion(message)) return { message, isNewest };
    isNewest = false;
  }
  return null;
}

/** A message is in the history a moment before its session runs. */
function isUnderWay({ message, isNewest }: LastAsked, { status, error, endedQuery }: Session): boolean {
  const isAboutToRun = status === "idle" && isNewest && error === null;
  return endedQuery !== message.id && (status === "running" || isAboutToRun);
}

/** Oldest first. Ids do not tell the order: one that waited for its turn is older than the answer before it. */
async function askedSince(client: HallClient, id: SessionId, seen: MessageId | null): Promise<Message[]> {
  const asked: Message[] = [];
  for await (const message of newestFirst(client.sessions, id)) {
    if (message.id === seen) break;
    if (isQuestion(message)) asked.unshift(message);
  }
  return asked;
}

const asQuote = ({ blocks }: Message): string =>
  safeText(blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n")).replaceAll(/^/gm, "> ");
