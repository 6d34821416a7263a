import { beforeAll, describe, expect, it } from "vitest";
import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { composeTestHall, openTestHall } from "../composed-hall.testing.ts";

describe("a session that is busy", () => {
  const refusal = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  let story: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    const { client, close } = await openTestHall();
    story = await play(client);
    return close;
  });

  /** Four messages: one is answered, one is stopped, one held back until it is sent, and one taken back. */
  async function play(client: HallClient) {
    const { id } = await client.sessions.create({ name: "Busy" });
    const first = await client.sessions.send(id, "markdown");
    const inARush = await refusal(client.sessions.send(id, "hello"));
    const [second, third, fourth] = [
      await client.sessions.send(id, "long answer", { queue: true }),
      await client.sessions.send(id, "hello", { queue: true }),
      await client.sessions.send(id, "help", { queue: true }),
    ];
    const waiting = (await client.sessions.queue.list(id)).messages;
    await begun(client, id, second.messageId);
    const tail = [];
    for await (const streamed of client.sessions.events(id, { lastEventId: `${first.messageId}.0` })) tail.push(streamed);
    const whileItRuns = await refusal(client.sessions.complete(id));
    await client.sessions.stop(id);
    const held = (await client.sessions.queue.list(id)).messages;
    const whileTheyWait = await refusal(client.sessions.complete(id));
    await client.sessions.queue.remove(id, fourth.messageId);
    const gone = await refusal(client.sessions.queue.remove(id, fourth.messageId));
    const sent = await client.sessions.queue.send(id);
    await ended(client, id, third.messageId);
    const { messages } = await client.sessions.get(id);
    const left = (await client.sessions.queue.list(id)).messages;
    const completed = [await client.sessions.complete(id), await client.sessions.complete(id)];
    const afterwards = await refusal(client.sessions.send(id, "hello", { queue: true }));
    const refusals = { inARush, whileItRuns, whileTheyWait, gone, afterwards };
    return {
      ids: [first, second, third, fourth].map(({ messageId }) => messageId),
      waiting,
      tail,
      held,
      sent,
      messages,
      left,
      completed,
      refusals,
    };
  }

  it("refuses a message that does not want to wait", () => {
    expect(story.refusals.inARush).toMatchObject({ code: "conflict" });
  });

  it("sends a message that came meanwhile when the answer is there, in the order they came", () => {
    expect(story.waiting.map((message) => message.id)).toEqual(story.ids.slice(1));
    expect(textsOf(story.messages, "user")).toEqual(["markdown", "long answer", "hello"]);
    expect(story.messages.at(-1)?.role).toBe("assistant");
    expect(story.left).toEqual([]);
  });

  it("gives a client that lost the stream of an answer its tail, also when the next one is being given", () => {
    const { tail, ids } = story;

    expect(tail[0]?.id).toBe(`${ids[0]}.1`);
    expect(tail.filter((streamed) => streamed.id?.startsWith(ids[0] ?? "") !== true)).toEqual([]);
    expect(tail.map(({ event }) => event.event)).toContain("text");
    expect(tail.at(-1)?.event).toEqual({ event: "done", data: {} });
  });

  it("holds back what waits when a person stops it, until they let it go on or take it back", () => {
    expect(story.held.map((message) => message.id)).toEqual(story.ids.slice(2));
    expect(story.sent).toEqual({ messageId: story.ids[2] });
    expect(story.refusals.gone).toMatchObject({ code: "not_found" });
  });

  it("is not completed while it runs, nor while messages wait in it that nobody would send", () => {
    expect(story.refusals.whileItRuns).toMatchObject({ code: "conflict" });
    expect(story.refusals.whileTheyWait).toMatchObject({
      message: expect.stringContaining('2 messages still wait in session "Busy".') as string,
    });
  });

  it("is completed by a person's word, twice if they like, and takes no message after that (REQ-GH1-23)", () => {
    expect(story.completed.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(story.refusals.afterwards).toMatchObject({ code: "conflict" });
  });
});

describe("a session of which two things are asked at once", () => {
  it("is completed or takes a message, and never both", async () => {
    const { client } = await composeTestHall({ config: { runs: { atOnce: 1 } } });
    const { id: busy } = await client.sessions.create({ name: "Takes all room" });
    // What is accepted after this waits, so nothing ends meanwhile.
    await client.sessions.send(busy, "long answer");

    for (const name of ["One", "Two", "Three", "Four", "Five"]) {
      const { id } = await client.sessions.create({ name });
      const [completed, sent] = await Promise.allSettled([client.sessions.complete(id), client.sessions.send(id, "hello")]);
      const { session } = await client.sessions.get(id);
      expect([completed.status, sent.status].toSorted()).toEqual(["fulfilled", "rejected"]);
      expect(session.status).toBe(sent.status === "fulfilled" ? "running" : "completed");
    }
  });
});

describe("the life of a session", () => {
  it("takes a new name, other members, another model and limits, and keeps what is not named", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Old" });

    await client.sessions.change(id, { name: "New", limits: { maxTurns: 3 } });
    const changed = await client.sessions.change(id, { model: "claude-test" });

    expect(changed).toMatchObject({ name: "New", model: "claude-test", limits: { maxTurns: 3 }, members: [] });
    await expect(client.sessions.change(id, { name: " " })).rejects.toMatchObject({ code: "bad_request" });
  });

  it("keeps the limits that a change does not name, and takes one away that is null", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Limited", limits: { maxCostUsd: 5, maxBudgetUsd: 1 } });

    const more = await client.sessions.change(id, { limits: { maxTurns: 3 } });
    const less = await client.sessions.change(id, { limits: { maxBudgetUsd: null } });

    expect(more.limits).toEqual({ maxCostUsd: 5, maxBudgetUsd: 1, maxTurns: 3 });
    expect(less.limits).toEqual({ maxCostUsd: 5, maxTurns: 3 });
  });

  it("refuses a model that no process could be given", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Model" });

    const refused = { code: "bad_request", message: expect.stringContaining("control characters") as string };
    await expect(client.sessions.create({ name: "Model", model: "claude\0" })).rejects.toMatchObject(refused);
    await expect(client.sessions.change(id, { model: "a\0b" })).rejects.toMatchObject(refused);
  });
});

/** Waits until the message is in the history and nothing runs any more. */
async function ended(client: HallClient, id: SessionId, messageId: string): Promise<void> {
  const abort = new AbortController();
  const news = client.events({ signal: abort.signal });
  for (;;) {
    const { session, messages } = await client.sessions.get(id);
    if (session.status !== "running" && messages.some((message) => message.id === messageId)) break;
    await news.next();
  }
  abort.abort();
}

/** Waits until the answer to a message has begun. */
async function begun(client: HallClient, id: SessionId, messageId: string): Promise<void> {
  for (;;) for await (const streamed of client.sessions.events(id)) if (streamed.id?.startsWith(messageId) === true) return;
}

const textsOf = (messages: readonly Message[], role: Message["role"]): string[] =>
  messages.flatMap((message) =>
    message.role === role ? [message.blocks.map((block) => (block.type === "text" ? block.text : "")).join("")] : [],
  );
