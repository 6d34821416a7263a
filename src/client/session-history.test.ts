import { describe, expect, it } from "vitest";
import { newMessageId } from "../schema/ids.ts";
import type { Message } from "../schema/session.ts";
import { sessionWith } from "../schema/session.testing.ts";
import { collect } from "./collect.testing.ts";
import { answerTo, newestFirst, readWhole } from "./session-history.ts";
import type { HallClient } from "./hall-client.ts";

const session = sessionWith();

const said = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => ({
    id: newMessageId(),
    role: at % 3 === 0 ? "user" : "assistant",
    at: "2026-01-01T00:00:00.000Z",
    blocks: [{ type: "text", text: String(at) }],
  }));

/** Pages from the end, as the hall has them: a cursor is how many messages there are before the page. */
function hallWith(messages: Message[]) {
  let asked = 0;
  const client: Pick<HallClient["sessions"], "get"> = {
    async get(_id, { limit = 50, cursor } = {}) {
      asked += 1;
      const end = cursor === undefined ? messages.length : Number(cursor);
      const start = Math.max(0, end - limit);
      return { session, messages: messages.slice(start, end), nextCursor: start === 0 ? null : String(start) };
    },
  };
  return { client, asked: () => asked };
}

describe("the history of a session", () => {
  it.each([0, 1, 100, 101, 350])("is read whole and in order over all pages: %i messages", async (count) => {
    const messages = said(count);
    const { client } = hallWith(messages);

    const whole = await readWhole(client, session.id);

    expect(await collect(whole.messages)).toEqual(messages);
    expect(await collect(newestFirst(client, session.id))).toEqual(messages.toReversed());
  });

  it("has each message once though more is said while it is read", async () => {
    const messages = said(250);
    const { client } = hallWith(messages);

    const whole = await readWhole(client, session.id);
    messages.push(...said(70));

    expect(await collect(whole.messages)).toEqual(messages.slice(0, 250));
  });

  it("has an answer between its question and the next, and reads no further back", async () => {
    const messages = said(350);
    const { client, asked } = hallWith(messages);

    const answer = await answerTo(client, session.id, messages[300]?.id ?? newMessageId());

    expect(answer).toEqual(messages.slice(301, 303));
    expect(asked()).toBe(1);
    expect(await answerTo(client, session.id, newMessageId())).toBeNull();
  });
});
