import { once } from "node:events";
import { Agent, get } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";

/** How much of what was read last is kept: no event that is waited for is longer. */
const keptCharacters = 4096;

export type Reader = {
  /** When the words were read, now or later, on the clock of `performance`. They are forgotten once something long came after them. */
  heard(words: string): Promise<number>;
  /** Resolves when the hall has ended the stream. */
  ended: Promise<void>;
  leave(): void;
};

/** What is read, and after which event of it. */
type Place = { url: string; after?: string };

/** Reads a stream as lightly as can be, so that two hundred of them weigh on the hall and not on whoever measures it. */
export async function openReader({ url, after }: Place): Promise<Reader> {
  const headers = { accept: "text/event-stream", ...(after === undefined ? {} : { "last-event-id": after }) };
  const request = get(url, { agent: new Agent({ keepAlive: false }), headers });
  const response = await answerTo(request);
  if (response.statusCode !== 200) {
    request.destroy();
    throw new RefusedStream(response.statusCode ?? 0);
  }
  let read = "";
  let waiting: { words: string; tell: (at: number) => void }[] = [];
  const ended = new Promise<void>((resolve) => response.once("close", resolve));
  response.setEncoding("utf8").on("data", (chunk: string) => {
    const text = read + chunk;
    read = text.slice(-keptCharacters);
    waiting = waiting.filter(({ words, tell }) => {
      const isRead = text.includes(words);
      if (isRead) tell(performance.now());
      return !isRead;
    });
  });
  response.on("error", () => undefined);
  return {
    heard: (words) =>
      new Promise((resolve) => {
        if (read.includes(words)) resolve(performance.now());
        else waiting.push({ words, tell: resolve });
      }),
    ended,
    leave: () => request.destroy(),
  };
}

/** How many come at the same moment. */
const comeAtOnce = 50;

/** Streams that are open together, come to in groups. */
export async function openReaders(places: readonly Place[]): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (let start = 0; start < places.length; start += comeAtOnce)
    readers.push(...(await Promise.all(places.slice(start, start + comeAtOnce).map(openReader))));
  return readers;
}

/** So many of the same. */
export const openAlike = (count: number, url: string): Promise<Reader[]> => openReaders(Array.from({ length: count }, () => ({ url })));

export async function leaveAll(readers: readonly Reader[]): Promise<void> {
  for (const reader of readers) reader.leave();
  await Promise.all(readers.map(({ ended }) => ended));
}

/** When the last of them has read the words. */
export const heardByAll = async (readers: readonly Reader[], words: string): Promise<number> =>
  Math.max(...(await Promise.all(readers.map(({ heard }) => heard(words)))));

export class RefusedStream extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The hall answered ${status} and no stream.`);
    this.status = status;
  }
}

async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  // What is destroyed later fails, and nobody minds.
  request.on("error", () => undefined);
  const [response] = (await once(request, "response")) as [IncomingMessage]; // as Node documents "response"
  return response;
}
