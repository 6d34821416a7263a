import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { composeTestHall } from "../composed-hall.testing.ts";

describe("the life of a session", () => {
  it("sends a message that came while it was busy when the answer is there, in the order they came", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Busy" });
    await client.sessions.send(id, "tour");

    const second = await client.sessions.send(id, "hello", { queue: true });
    const third = await client.sessions.send(id, "help", { queue: true });
    const waiting = await client.sessions.queue.list(id);
    await ended(client, id, third.messageId);

    expect(waiting.messages.map((message) => message.id)).toEqual([second.messageId, third.messageId]);
    const { messages } = await client.sessions.get(id);
    expect(textsOf(messages, "user")).toEqual(["tour", "hello", "help"]);
    expect(messages.at(-1)?.role).toBe("assistant");
    expect((await client.sessions.queue.list(id)).messages).toEqual([]);
  });

  it("gives a client that lost the stream of an answer its tail, also when the next one is being given", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Lost" });
    const first = await client.sessions.send(id, "markdown");
    const second = await client.sessions.send(id, "long answer", { queue: true });
    await begun(client, id, second.messageId);

    const tail = [];
    for await (const streamed of client.sessions.events(id, { lastEventId: `${first.messageId}.0` })) tail.push(streamed);

    expect(tail[0]?.id).toBe(`${first.messageId}.1`);
    expect(tail.filter((streamed) => streamed.id?.startsWith(first.messageId) !== true)).toEqual([]);
    expect(tail.map(({ event }) => event.event)).toContain("text");
    expect(tail.at(-1)?.event).toEqual({ event: "done", data: {} });
  });

  it("refuses a message while it is busy that does not want to wait", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Busy" });
    await client.sessions.send(id, "long answer");

    await expect(client.sessions.send(id, "hello")).rejects.toMatchObject({ code: "conflict" });
  });

  it("holds back what waits when a person stops it, until they let it go on or take it back", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Held" });
    await client.sessions.send(id, "long answer");
    const kept = await client.sessions.send(id, "hello", { queue: true });
    const dropped = await client.sessions.send(id, "help", { queue: true });

    await client.sessions.stop(id);
    const held = await client.sessions.queue.list(id);
    await client.sessions.queue.remove(id, dropped.messageId);
    const sent = await client.sessions.queue.send(id);
    await ended(client, id, kept.messageId);

    expect(held.messages).toHaveLength(2);
    expect(sent).toEqual({ messageId: kept.messageId });
    expect(textsOf((await client.sessions.get(id)).messages, "user")).toEqual(["long answer", "hello"]);
    await expect(client.sessions.queue.remove(id, dropped.messageId)).rejects.toMatchObject({ code: "not_found" });
    await expect(client.sessions.queue.send(id)).rejects.toMatchObject({ code: "conflict" });
  });

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

  it("is not completed while messages wait in it that nobody would send", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Half done" });
    await client.sessions.send(id, "long answer");
    const { messageId } = await client.sessions.send(id, "hello", { queue: true });
    await client.sessions.stop(id);

    await expect(client.sessions.complete(id)).rejects.toThrow('1 message still waits in session "Half done".');
    await client.sessions.queue.remove(id, messageId);

    expect((await client.sessions.complete(id)).status).toBe("completed");
  });

  it("is completed by a person's word, twice if they like, and takes no message after that (REQ-GH1-23)", async () => {
    const { client } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Done" });
    await client.sessions.send(id, "long answer");

    await expect(client.sessions.complete(id)).rejects.toMatchObject({ code: "conflict" });
    await client.sessions.stop(id);
    const once = await client.sessions.complete(id);
    const twice = await client.sessions.complete(id);

    expect([once.status, twice.status]).toEqual(["completed", "completed"]);
    await expect(client.sessions.send(id, "hello", { queue: true })).rejects.toMatchObject({ code: "conflict" });
  });

  it("can be renewed when its conversation is gone, and only then: history stays, the model starts anew (REQ-GH1-22)", async () => {
    const { client, home } = await composeTestHall();
    const { id } = await client.sessions.create({ name: "Old talk" });
    const first = await client.sessions.send(id, "hello");
    await ended(client, id, first.messageId);
    await expect(client.sessions.renew(id)).rejects.toMatchObject({ code: "conflict" });
    await forgetConversation(home, id);
    const lost = await client.sessions.send(id, "hello again");
    await ended(client, id, lost.messageId);
    const expired = (await client.sessions.get(id)).session;

    const renewed = await client.sessions.renew(id);
    const next = await client.sessions.send(id, "help");
    await ended(client, id, next.messageId);

    expect(expired).toMatchObject({ status: "expired", error: { code: "session_expired" } });
    expect(renewed).toMatchObject({ status: "idle", error: null });
    expect(renewed.sdkSessionId).not.toBe(expired.sdkSessionId);
    const { session, messages } = await client.sessions.get(id);
    expect(session).toMatchObject({ status: "idle", error: null });
    expect(textsOf(messages, "user")).toEqual(["hello", "hello again", "help"]);
  });
});

/** The session's record names a conversation that the SDK has never seen. */
async function forgetConversation(home: string, id: SessionId): Promise<void> {
  const record = join(home, "sessions", id, "session.json");
  const text = await readFile(record, "utf8");
  await writeFile(record, text.replace(/"sdkSessionId": "[^"]+"/, `"sdkSessionId": "${crypto.randomUUID()}"`));
}

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
