import { describe, expect, it } from "vitest";
import { createHallClient } from "../../client/hall-client.ts";
import { newMessageId } from "../../schema/ids.ts";
import type { Message, Session } from "../../schema/session.ts";
import { sessionWith } from "../../schema/session.testing.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { followMessage } from "./follow-message.ts";

const [question, answer] = [newMessageId(), newMessageId()];
const at = "2026-01-01T00:00:00.000Z";
const asked: Message = { id: question, role: "user", at, blocks: [{ type: "text", text: "Why?" }] };
const said: Message = { id: answer, role: "assistant", at, blocks: [{ type: "text", text: "Because." }] };
const later: Message = { ...asked, id: newMessageId() };

type Hall = { session?: Partial<Session>; messages?: Message[]; queue?: Message[]; streams?: string[][]; pageLength?: number };

/** A hall that answers from data: one list of SSE lines per connection to the query, and then what it has at rest. */
function hallWith({ session = {}, messages = [], queue = [], streams = [], pageLength = 100 }: Hall) {
  const record = sessionWith({ name: "Talk", ...session });
  const atRest = ["id: rest.0\nevent: status\ndata: " + JSON.stringify({ status: record.status }), "id: rest.1\nevent: done\ndata: {}"];
  const page = (cursor: string | null) => {
    const end = cursor === null ? messages.length : Number(cursor);
    const start = Math.max(0, end - pageLength);
    return { session: record, messages: messages.slice(start, end), nextCursor: start === 0 ? null : String(start) };
  };
  const answers: [RegExp, (cursor: string | null) => Response][] = [
    [/\/queue$/, () => Response.json({ messages: queue })],
    [/\/sessions\/\w+\/events$/, () => new Response((streams.shift() ?? atRest).map((event) => `${event}\n\n`).join(""))],
    [/\/sessions\/\w+$/, (cursor) => Response.json(page(cursor))],
  ];
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(new Request(input).url);
    return answers.find(([path]) => path.test(pathname))?.[1](searchParams.get("cursor")) ?? new Response(null, { status: 404 });
  };
  return { client: createHallClient({ baseUrl: "http://hall", fetch }), id: record.id };
}

async function follow(hall: Hall) {
  const told: SessionEvent[] = [];
  const failure = await followMessage({
    ...hallWith(hall),
    messageId: question,
    signal: new AbortController().signal,
    onEvent: async (event) => void told.push(event),
  });
  return { failure, text: told.map((event) => (event.event === "text" ? event.data.text : "")).join("") };
}

const textEvent = (number: number, text: string): string =>
  `id: ${question}.${number}\nevent: text\ndata: ${JSON.stringify({ messageId: answer, text })}`;

describe("following a message", () => {
  it("gets the rest from the history where the hall was restarted in the middle, and says how it ended", async () => {
    const error = { code: "interrupted" as const, message: "The hall ended." };

    const { failure, text } = await follow({ streams: [[textEvent(0, "Bec")]], session: { error }, messages: [asked, said] });

    expect(text).toBe("Because.");
    expect(failure).toEqual(error);
  });

  it("says how it ended where the answer fills more than the newest page of the history", async () => {
    const error = { code: "stopped" as const, message: "It was stopped." };
    const more: Message = { ...said, id: newMessageId(), blocks: [{ type: "text", text: " Really." }] };

    const ended = await follow({ session: { error }, messages: [asked, said, more], pageLength: 1 });
    const superseded = await follow({ session: { error }, messages: [asked, said, later, more], pageLength: 1 });

    expect(ended).toEqual({ text: "Because. Really.", failure: error });
    expect(superseded).toEqual({ text: "Because.", failure: null });
  });

  it("gets everything from the history where other queries have run since", async () => {
    const others = [[`id: ${later.id}.0\nevent: text\ndata: ${JSON.stringify({ messageId: newMessageId(), text: "Other." })}`]];
    const session = { error: { code: "stopped" as const, message: "Another was stopped." } };

    const whole = await follow({ streams: others, session, messages: [asked, said, later] });
    const broken = await follow({ session, messages: [asked, { ...said, interrupted: true }, later] });
    const again = await follow({ session, messages: [asked, { ...said, id: newMessageId(), interrupted: true }, said, later] });

    expect(whole).toEqual({ text: "Because.", failure: null });
    expect(again.failure).toBeNull();
    expect(broken).toMatchObject({ text: "Because.", failure: { code: "interrupted" } });
  });

  it("says that the message is held back, or was taken back", async () => {
    const error = { code: "stopped" as const, message: "It was stopped." };

    await expect(follow({ queue: [asked], session: { error } })).rejects.toThrow(
      /^The message is held back, because session "Talk" ended like this: It was stopped\. Send it on with: guild-hall session queue ses_\w+ --send$/,
    );
    await expect(follow({ messages: [later] })).rejects.toThrow('The message to "Talk" was taken back before its turn came.');
  });
});
