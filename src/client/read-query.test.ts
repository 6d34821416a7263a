import { describe, expect, it } from "vitest";
import { HallError } from "../schema/hall-error.ts";
import { newMessageId, newSessionId } from "../schema/ids.ts";
import type { SessionEvent } from "../schema/session-event.ts";
import { collect } from "./collect.testing.ts";
import type { Streamed } from "./event-stream.ts";
import { beforeQuery, isOfQuery, readQuery } from "./read-query.ts";

const messageId = newMessageId();
const text = (at: number): Streamed<SessionEvent> => ({
  id: `${messageId}.${at}`,
  event: { event: "text", data: { messageId, text: String(at) } },
});
const done = (at: number): Streamed<SessionEvent> => ({ id: `${messageId}.${at}`, event: { event: "done", data: {} } });

/** One entry per connection: what it sends, and the error it breaks off with. */
function hallThatSends(...connections: (Streamed<SessionEvent> | Error)[][]) {
  const asked: (string | undefined)[] = [];
  const client = {
    async *events(_id: unknown, { lastEventId }: { lastEventId?: string } = {}) {
      for (const each of connections[asked.push(lastEventId) - 1] ?? []) {
        if (each instanceof Error) throw each;
        yield each;
      }
    },
  };
  return { client, asked };
}

const reading = { id: newSessionId(), lastEventId: beforeQuery(messageId), pauseMs: 0 };
const away = () => new HallError("hall_unreachable", "No hall answers.");

describe("reading a query", () => {
  it("is taken up after the last event where the stream broke off", async () => {
    const { client, asked } = hallThatSends([text(0), text(1), new TypeError("terminated")], [away()], [text(2)], [done(3)]);

    const read = await collect(readQuery({ ...reading, client, signal: new AbortController().signal }));

    expect(read.map(({ id }) => id)).toEqual([0, 1, 2, 3].map((at) => `${messageId}.${at}`));
    expect(asked).toEqual([`${messageId}.start`, `${messageId}.1`, `${messageId}.1`, `${messageId}.2`]);
  });

  it("gives up when the hall stays away for longer than it is patient", async () => {
    const { client, asked } = hallThatSends([text(0)], [away()], [away()], [away()], [away()]);

    const read = collect(readQuery({ ...reading, client, signal: new AbortController().signal, patience: 2 }));

    await expect(read).rejects.toMatchObject({ code: "hall_unreachable" });
    expect(asked).toHaveLength(3);
  });

  it("does not try again what the hall refused", async () => {
    const { client, asked } = hallThatSends([new HallError("not_found", "Gone.")]);

    await expect(collect(readQuery({ ...reading, client, signal: new AbortController().signal }))).rejects.toThrow("Gone.");
    expect(asked).toHaveLength(1);
  });

  it("ends where the hall has no more of it, and where the reader leaves", async () => {
    const { client, asked } = hallThatSends([text(0)], []);
    const leaving = new AbortController();
    leaving.abort();

    expect(await collect(readQuery({ ...reading, client, signal: new AbortController().signal }))).toHaveLength(1);
    expect(await collect(readQuery({ ...reading, client, signal: leaving.signal }))).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it("tells events of another query apart", () => {
    expect(isOfQuery(text(0), messageId)).toBe(true);
    expect(isOfQuery({ ...text(0), id: "rest.0" }, messageId)).toBe(false);
  });
});
