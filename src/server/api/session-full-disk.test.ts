import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { disk } from "../../adapters/files/disk.ts";
import type { HallClient } from "../../client/hall-client.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
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
  shortage.free();
  await expect.poll(async () => (await client.sessions.get(id)).session).toMatchObject({ status: "idle", error: null, messageCount: 6 });

  expect(waitingWhileFull).toEqual([last.messageId]);
  expect(await saidBy(client, id)).toEqual([said.messageId, next.messageId, last.messageId]);
  expect(await waitingIn(client, id)).toEqual([]);
});

/** From when the history has the message on, no file can be put in place, until it is freed. */
function fullOnceSaid(history: string, messageId: MessageId) {
  const { rename } = disk;
  const free = () => void (disk.rename = rename);
  onTestFinished(free);
  disk.rename = async (from, to) => {
    if ((await readFile(history, "utf8")).includes(messageId)) throw Object.assign(new Error("ENOSPC: injected"), { code: "ENOSPC" });
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
