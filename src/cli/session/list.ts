import { z } from "zod";
import { MemberName } from "../../schema/ids.ts";
import { money } from "../../schema/money.ts";
import type { WaitingFor } from "../../schema/run.ts";
import { SessionStatus } from "../../schema/session.ts";
import type { Session, SessionList } from "../../schema/session.ts";
import type { HallClient } from "../../client/hall-client.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { waitSentence } from "../run/wait-sentence.ts";
import { safeText } from "../safe-text.ts";
import { table } from "../table.ts";
import type { ListFlags } from "./session-flags.ts";

const Limit = z.coerce
  .number("must be a whole number, at least 1")
  .int("must be a whole number, at least 1")
  .min(1, "must be a whole number, at least 1");

export async function listSessions(flags: ListFlags, { printer, shell }: CommandContext): Promise<void> {
  const limit = checked(Limit, flags.limit ?? "50", "--limit");
  const query = {
    ...(flags.status === undefined ? {} : { status: checked(SessionStatus, flags.status, "--status") }),
    ...(flags.search === undefined ? {} : { q: flags.search }),
    ...(flags.member === undefined ? {} : { member: checked(MemberName, flags.member, "--member") }),
  };
  const { client } = await findHall(flags.home, shell);
  const list = await readList(client, query, limit);
  printer.result(list, report(list, Object.keys(query).length > 0));
  if (list.nextCursor !== null) printer.progress(`These are the newest ${limit}. For more: --limit ${limit * 10}`);
}

const pageSize = 500;

async function readList(client: HallClient, query: Parameters<HallClient["sessions"]["list"]>[0], limit: number): Promise<SessionList> {
  const list = await client.sessions.list({ ...query, limit: Math.min(limit, pageSize) });
  while (list.nextCursor !== null && list.sessions.length < limit) {
    const wanted = Math.min(limit - list.sessions.length, pageSize);
    const { sessions, nextCursor, matches } = await client.sessions.list({ ...query, limit: wanted, cursor: list.nextCursor });
    list.sessions.push(...sessions);
    list.nextCursor = nextCursor;
    if (matches !== undefined) list.matches = { ...list.matches, ...matches };
  }
  return list;
}

function report({ sessions, matches = {} }: SessionList, isFiltered: boolean): string {
  if (sessions.length === 0)
    return isFiltered ? "No session is like that." : "There are no sessions. Begin one with: guild-hall session new <name>";
  const rows = table(sessions.map(row));
  return sessions
    .flatMap(({ id, error, waitingFor }, at) => [
      rows[at] ?? "",
      ...below(error?.message),
      ...below(waitOf(waitingFor)),
      ...below(matches[id]?.text),
    ])
    .join("\n");
}

const row = ({ id, status, lastActivityAt, messageCount, costUsd, name }: Session): string[] => [
  id,
  status,
  `${lastActivityAt.slice(0, 16).replace("T", " ")}Z`,
  `${messageCount} ${messageCount === 1 ? "message" : "messages"}`,
  money(costUsd),
  oneLine(name),
];

const waitOf = (waitingFor: WaitingFor | null): string | undefined =>
  waitingFor === null ? undefined : waitSentence(waitingFor, Date.now());

const below = (text: string | undefined): string[] => (text === undefined ? [] : [`    ${oneLine(text)}`]);

const oneLine = (text: string): string => safeText(text).replaceAll(/\s+/g, " ");
