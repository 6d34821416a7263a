import { setTimeout as pause } from "node:timers/promises";
import { beforeQuery } from "../../src/client/read-query.ts";
import type { MessageId, SessionId } from "../../src/schema/ids.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { HallProcess } from "../../test/hall-process.ts";
import { watchHealth } from "../hall/watch-health.ts";
import type { HallMemory, LoadStage } from "./load-stage.ts";
import { leaveAll, openReaders } from "./readers.ts";
import type { Reader } from "./readers.ts";
import { turnPages } from "./turn-pages.ts";
import type { PageTimes } from "./turn-pages.ts";

/** As many as a hall lets run at the same time. */
export const queries = 8;
const piece = "and so on";
const lastPiece = "ends here";
const pieceMs = 50;
/** Half a minute, of which the readers come in the first seconds. */
const pieces = 600;

/** An answer of many pieces, each an event of its own, the last of which can be told from the others. */
export const longAnswer: Reply = { text: piece.repeat(pieces - 1) + lastPiece, chunkSize: piece.length, chunkDelayMs: pieceMs };

export type UnderLoad = {
  /** How long `/api/health` took while they came, and while they read. */
  healths: { coming: number[]; reading: number[] };
  pages: PageTimes;
  /** How many readers of running queries had the whole answer. */
  whole: number;
  streams: number;
  memory: { before: HallMemory; during: HallMemory; after: HallMemory };
};

/**
 * So many browsers, each with a running query before it: one stream of the hall, one that says which session is looked at, and
 * one of the query. Meanwhile somebody renames sessions, and somebody turns pages of sessions and jobs. What the agents' processes
 * take from the machine while they start is not measured: that is the SDK's.
 */
export async function putUnderLoad(stage: LoadStage, browsers: number, others: readonly SessionId[]): Promise<UnderLoad> {
  const { hall, memory } = stage;
  const before = await memory();
  const asked = stage.modelCalls();
  const running = await Promise.all(Array.from({ length: queries }, () => startQuery(hall)));
  while (stage.modelCalls() < asked + queries) await pause(50);

  const coming = watchHealth(hall.url);
  const readers = await openAll(hall.url, browsers, running);
  const healthsOfComing = await coming.end();

  const reading = watchHealth(hall.url);
  const turning = turnPages(hall, others);
  const during = await memory();
  const whole = await wholeAnswers(readers.ofQueries);
  const pages = await turning.end();
  const healths = { coming: healthsOfComing, reading: await reading.end() };
  await leaveAll(Object.values(readers).flat());
  return { healths, pages, whole, streams: 3 * browsers, memory: { before, during, after: await memory() } };
}

type Query = { id: SessionId; messageId: MessageId };

async function startQuery({ client }: HallProcess): Promise<Query> {
  const { id } = await client.sessions.create({ name: "Watched" });
  return { id, ...(await client.sessions.send(id, "Go on.")) };
}

async function openAll(url: string, browsers: number, running: readonly Query[]) {
  const ofBrowsers = Array.from({ length: browsers }, (_, number) => running[number % running.length] ?? []).flat();
  return {
    ofQueries: await openReaders(
      // With this id the whole query is sent, wherever it has come to meanwhile.
      ofBrowsers.map(({ id, messageId }) => ({ url: `${url}/api/sessions/${id}/events`, after: beforeQuery(messageId) })),
    ),
    ofOpen: await openReaders(ofBrowsers.map(({ id }) => ({ url: `${url}/api/events?open=${id}` }))),
    ofHall: await openReaders(ofBrowsers.map(() => ({ url: `${url}/api/events` }))),
  };
}

async function wholeAnswers(readers: readonly Reader[]): Promise<number> {
  const read = readers.map(async ({ heard, ended }) => {
    const hasAll = Promise.all([heard(lastPiece), heard("event: done")]).then(() => true);
    return Promise.race([hasAll, ended.then(() => pause(0, false))]);
  });
  return (await Promise.all(read)).filter(Boolean).length;
}
