import { setTimeout as pause } from "node:timers/promises";
import { beforeQuery } from "../../src/client/read-query.ts";
import type { MessageId, SessionId } from "../../src/schema/ids.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { HallProcess } from "../../test/hall-process.ts";
import { watchHealth } from "../hall/watch-health.ts";
import { timed } from "../timed.ts";
import type { HallMemory, LoadStage } from "./load-stage.ts";
import { leaveAll, openReader, openReaders } from "./readers.ts";

/** As many as a hall lets run at the same time. */
const queries = 8;
const piece = "and so on";
const lastPiece = "ends here";
const pieceMs = 50;

/** An answer of so many pieces, each an event of its own, the last of which can be told from the others. */
export const longAnswer = (pieces: number): Reply => ({
  text: piece.repeat(pieces - 1) + lastPiece,
  chunkSize: piece.length,
  chunkDelayMs: pieceMs,
});

export type UnderLoad = {
  healths: number[];
  sessionPages: number[];
  jobPages: number[];
  /** How many readers of running queries had the whole answer. */
  whole: number;
  streams: number;
  memory: { before: HallMemory; during: HallMemory; after: HallMemory };
};

/**
 * So many browsers, each with a running query before it: one stream of the hall, one that says which session is looked at, and
 * one of the query. Meanwhile somebody renames sessions, and somebody turns pages of sessions and jobs.
 */
export async function putUnderLoad({ hall, memory }: LoadStage, browsers: number, others: readonly SessionId[]): Promise<UnderLoad> {
  const { url } = hall;
  const before = await memory();
  const health = watchHealth(url);
  const turning = turnPages(hall, others);
  const running = await Promise.all(Array.from({ length: queries }, () => startQuery(hall)));
  const ofBrowsers = Array.from({ length: browsers }, (_, number) => running[number % queries] ?? []).flat();
  const ofQueries = await Promise.all(
    // With this id the whole query is sent, wherever it has come to meanwhile.
    ofBrowsers.map(({ id, messageId }) => openReader(`${url}/api/sessions/${id}/events`, beforeQuery(messageId))),
  );
  const ofOpen = await Promise.all(ofBrowsers.map(({ id }) => openReader(`${url}/api/events?open=${id}`)));
  const ofHall = await openReaders(browsers, `${url}/api/events`);
  const during = memory();
  const read = ofQueries.map(async ({ heard, ended }) => {
    const hasAll = Promise.all([heard(lastPiece), heard("event: done")]).then(() => true);
    return Promise.race([hasAll, ended.then(() => pause(0, false))]);
  });
  const whole = (await Promise.all(read)).filter(Boolean).length;
  const pages = await turning.end();
  const healths = await health.end();
  await leaveAll([...ofHall, ...ofOpen, ...ofQueries]);
  return {
    ...pages,
    healths,
    whole,
    streams: 3 * browsers,
    memory: { before, during: await during, after: await memory() },
  };
}

async function startQuery({ client }: HallProcess): Promise<{ id: SessionId; messageId: MessageId }> {
  const { id } = await client.sessions.create({ name: "Watched" });
  return { id, ...(await client.sessions.send(id, "Go on.")) };
}

/** Renames one session after the other, and reads a page of the sessions and one of the jobs in between, until it is ended. */
export function turnPages({ client }: Pick<HallProcess, "client">, ids: readonly SessionId[]) {
  const times = { sessionPages: [] as number[], jobPages: [] as number[] };
  let isOver = false;
  const turning = (async () => {
    for (const id of ids) {
      if (isOver) return;
      await client.sessions.change(id, { name: `Renamed ${times.jobPages.length}` });
      times.sessionPages.push(await timed(() => client.sessions.list({ limit: 50 })));
      times.jobPages.push(await timed(() => client.jobs.list({ worker: "archive", limit: 50 })));
      await pause(100);
    }
  })();
  return {
    async end() {
      isOver = true;
      await turning;
      return times;
    },
    /** Resolves when all of them are renamed. */
    async whole() {
      await turning;
      return times;
    },
  };
}
