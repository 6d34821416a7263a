import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { disk } from "../../adapters/files/disk.ts";
import type { HallClient } from "../../client/hall-client.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { composeTestHall } from "../composed-hall.testing.ts";

it("has what waited in the history or waiting, and never both, where the disk is full from its first line in the history on", async () => {
  const { client, home } = await composeTestHall();
  const { id } = await client.sessions.create({ name: "Waits" });
  const said = await client.sessions.send(id, "hello");
  const next = await client.sessions.send(id, "markdown", { queue: true });
  const last = await client.sessions.send(id, "hello", { queue: true });
  const shortage = fullOnceSaid(join(home, "sessions", id, "messages.jsonl"), next.messageId);

  await expect.poll(() => saidBy(client, id)).toEqual([said.messageId, next.messageId]);
  const waitingWhileFull = await waitingIn(client, id);
  const { session: whileFull } = await client.sessions.get(id);
  shortage.free();
  await expect.poll(() => saidBy(client, id)).toEqual([said.messageId, next.messageId, last.messageId]);

  expect(waitingWhileFull).toEqual([last.messageId]);
  expect(whileFull).toMatchObject({ status: "running", error: null });
  expect(await waitingIn(client, id)).toEqual([]);
  // The answer before it came, and it runs. The history has a message a moment before the session counts it.
  await expect.poll(async () => (await client.sessions.get(id)).session).toMatchObject({ status: "running", error: null, messageCount: 5 });
});

it("does not run for ever when the disk is full at its end: what was said is kept and the end is written when there is room", async () => {
  const { client } = await composeTestHall();
  const { id } = await client.sessions.create({ name: "Full" });
  await client.sessions.send(id, "long answer");
  await toldOf(client, id, ({ event }) => event === "text");

  const shortage = full();
  await expect(client.sessions.stop(id)).rejects.toMatchObject({ code: "disk_full" });
  await toldOf(client, id, ({ event, data }) => event === "status" && data.error?.code === "disk_full");
  shortage.free();
  await toldOf(client, id, ({ event }) => event === "done");

  const { session, messages } = await client.sessions.get(id);
  expect(session).toMatchObject({ status: "idle", error: { code: "stopped" }, messageCount: 2 });
  expect(messages[1]).toMatchObject({ role: "assistant", interrupted: true });
});

async function toldOf(client: HallClient, id: SessionId, isIt: (event: SessionEvent) => boolean): Promise<void> {
  for await (const { event } of client.sessions.events(id)) if (isIt(event)) return;
}

const noRoom = () => Object.assign(new Error("ENOSPC: injected"), { code: "ENOSPC" });

/** Nothing can be written any more, until it is freed. */
function full() {
  const { open } = disk;
  const free = () => void (disk.open = open);
  onTestFinished(free);
  disk.open = async (path, flags, mode) => {
    if (flags !== "r") throw noRoom();
    return open(path, flags, mode);
  };
  return { free };
}

/** From when the history has the message on, no file can be put in place, until it is freed. */
function fullOnceSaid(history: string, messageId: MessageId) {
  const { rename } = disk;
  const free = () => void (disk.rename = rename);
  onTestFinished(free);
  disk.rename = async (from, to) => {
    if ((await readFile(history, "utf8")).includes(messageId)) throw noRoom();
    await rename(from, to);
  };
  return { free };
}

async function saidBy(client: HallClient, id: SessionId): Promise<MessageId[]> {
  const { messages } = await client.sessions.get(id);
  return messages.flatMap((message) => (message.role === "user" ? [message.id] : []));
}

const waitingIn = async (client: HallClient, id: SessionId): Promise<MessageId[]> =>
  (await client.sessions.queue.list(id)).messages.map((message) => message.id);
