import { setTimeout as pause } from "node:timers/promises";
import { HallError } from "../../src/schema/hall-error.ts";
import type { Script } from "../../src/scripted-model/script.ts";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { faultsIn, open, textOf, watch, wholeHistory } from "./conversation.ts";
import type { Conversation } from "./conversation.ts";
import { createRandom } from "./random.ts";
import type { Random } from "./random.ts";
import { environmentOf, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";
import { vanish } from "./vanishing-client.ts";
import type { CutRequest } from "./vanishing-client.ts";

/** So few that one that is not given back is missed at once. */
const places = 5;
const patienceMs = 30_000;

const answer = Array.from({ length: 150 }, (_, index) => `${index + 1} of 150`).join(", ");
const script: Script = { turns: [{ reply: { text: answer, chunkSize: 8, chunkDelayMs: 10 } }] };

/** Lets an answer be watched by readers, and asked about by others, who all go away in the middle. */
export function vanishClients({ home, random, isShort }: Round): Promise<string[]> {
  return withModel(script, async (model) => {
    const config = `streams:\n  max: ${places}\n`;
    const hall = await spawnHall(home, { bundled: false, waiting: false, config, env: environmentOf(model) });
    try {
      const conversation = await open(hall, "Watched");
      conversation.accepted.push((await hall.client.sessions.send(conversation.id, "Count.")).messageId);
      // Each has its own numbers: who draws first is not for the seed to say.
      const [reader, others] = [createRandom(random.below(2 ** 32)), createRandom(random.below(2 ** 32))];
      const [read] = await Promise.all([readInPieces(hall, conversation, reader), comeAndGo(hall, conversation, others, isShort ? 6 : 24)]);
      await watch(hall, conversation);
      return [
        ...(await faultsIn(hall, conversation)),
        ...(await faultsOfAnswer(hall, conversation, read)),
        ...(await faultsOfStreams(hall)),
      ];
    } finally {
      await hall.end("SIGTERM");
    }
  });
}

/** Three at the same time: never so many that the one who reads finds no place. */
async function comeAndGo({ url }: HallProcess, { id }: Conversation, random: Random, clients: number): Promise<void> {
  for (let gone = 0; gone < clients; gone += 3) {
    const visits = Array.from({ length: 3 }, () => ({
      request: chooseRequest(id, random),
      after: random.below(20),
      own: createRandom(random.below(2 ** 32)),
    }));
    await Promise.all(visits.map(({ request, after, own }) => pause(after).then(() => vanish(url, request, own))));
  }
}

function chooseRequest(id: string, random: Random): CutRequest {
  const data = Buffer.alloc(60_000, "x").toString("base64");
  return random.oneOf([
    { method: "GET", path: `/api/sessions/${id}/events` },
    { method: "GET", path: "/api/events" },
    { method: "GET", path: `/api/events?open=${id}` },
    { method: "GET", path: `/sessions/${id}` },
    { method: "POST", path: `/api/sessions/${id}/messages`, body: JSON.stringify({ text: "Never sent.", queue: true }) },
    { method: "POST", path: `/api/sessions/${id}/artifacts`, body: JSON.stringify({ path: "half.txt", offset: 0, done: true, data }) },
  ]);
}

/** One reader that loses the connection again and again, and goes on behind the last event it has. */
async function readInPieces(hall: HallProcess, { id }: Conversation, random: Random): Promise<string> {
  let read = "";
  let lastEventId: string | undefined;
  for (const end = Date.now() + patienceMs; Date.now() < end;) {
    const leaving = new AbortController();
    let left = 1 + random.below(30);
    try {
      const options = { signal: leaving.signal, ...(lastEventId === undefined ? {} : { lastEventId }) };
      for await (const { id: eventId, event } of hall.client.sessions.events(id, options)) {
        if (event.event === "done") return read;
        if (event.event === "text") read += event.data.text;
        lastEventId = eventId;
        if ((left -= 1) === 0) leaving.abort();
      }
    } catch (error) {
      const isFull = error instanceof HallError && error.code === "too_many_streams";
      if (!leaving.signal.aborted && !isFull) throw error;
      await pause(10);
    }
  }
  return read;
}

async function faultsOfAnswer(hall: HallProcess, conversation: Conversation, read: string): Promise<string[]> {
  const { messages } = await wholeHistory(hall, conversation.id);
  const { artifacts } = await hall.client.sessions.artifacts.list(conversation.id);
  const late = [...conversation.shown.values()].join("");
  return [
    ...(messages.length === 2 ? [] : [`There are ${messages.length} messages, and one was sent.`]),
    ...(textOf(messages[1]) === answer ? [] : [`The answer is kept as "${textOf(messages[1])}".`]),
    ...(read === answer ? [] : [`Who read on behind each break got "${read}".`]),
    ...(late === answer || late === "" ? [] : [`Who came late got "${late}".`]),
    ...artifacts.map(({ path }) => `${path} was never sent whole, and is there.`),
  ];
}

/** All places can be had at once when everybody has gone, and not one more. */
async function faultsOfStreams(hall: HallProcess): Promise<string[]> {
  let most = 0;
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(50)) {
    most = await placesToBeHad(hall);
    if (most === places) return [];
  }
  return [`Of ${places} streams ${most} can be had, and nobody holds one.`];
}

async function placesToBeHad({ client }: HallProcess): Promise<number> {
  const leaving = new AbortController();
  const opened = await Promise.all(
    Array.from({ length: places + 1 }, async () => {
      const isOpen = Promise.withResolvers<boolean>();
      const read = async () => {
        for await (const _event of client.events({ signal: leaving.signal, onOpen: () => isOpen.resolve(true) }));
      };
      read().catch(() => isOpen.resolve(false));
      return isOpen.promise;
    }),
  );
  leaving.abort();
  return opened.filter(Boolean).length;
}
