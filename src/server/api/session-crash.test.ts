import { cp, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { HallClient } from "../../client/hall-client.ts";
import { newMessageId } from "../../schema/ids.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { composeTestHall, openTestHall } from "../composed-hall.testing.ts";

/** The files of a hall in the middle of its work are what a kill would leave. What no kill hits each time is written by hand. */
describe("what a crash leaves of a session", () => {
  /** What a hall left in the middle of an answer, twice: for two crashes. */
  let story: { id: SessionId; messageId: MessageId; before: string; left: string[] };
  beforeAll(async () => {
    const { client, home, close } = await openTestHall();
    const folder = await mkdtemp(join(tmpdir(), "guild-hall-test-"));
    const { id } = await client.sessions.create({ name: "About to run" });
    const before = await readFile(recordIn(home, id), "utf8");
    const { messageId } = await client.sessions.send(id, "long answer");
    await firstText(client, id);
    const left = [await filesLeft(home, join(folder, "first")), await filesLeft(home, join(folder, "second"))];
    await client.sessions.stop(id);
    await cp(join(home, "claude"), join(left[1] ?? "", "claude"), { recursive: true });
    story = { id, messageId, before, left };
    await close();
    return () => rm(folder, { recursive: true, force: true });
  });

  it("is told as interrupted where a message was in the history and not yet marked as running, and no longer waits", async () => {
    const { id, messageId, before } = story;
    const [left = ""] = story.left;
    await writeFile(recordIn(left, id), before);
    await writeQueue(left, id, messageId);

    const next = await composeTestHall({ prepare: (fresh) => cp(left, fresh, { recursive: true }) });

    const { session, messages } = await next.client.sessions.get(id);
    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" }, messageCount: messages.length });
    expect(messages.filter((message) => message.id === messageId)).toHaveLength(1);
    expect((await next.client.sessions.queue.list(id)).messages).toEqual([]);
  });

  it("is told as interrupted where what it said is in a file that is too large to read, which the log names (SEC-15)", async () => {
    const { id, messageId } = story;
    const [left = ""] = story.left;
    const progress = join("state/progress", `${messageId}.jsonl`);

    const next = await composeTestHall({
      prepare: async (fresh) => {
        await cp(left, fresh, { recursive: true });
        await truncate(join(fresh, progress), 600 * 1024 * 1024);
      },
    });

    const { session } = await next.client.sessions.get(id);
    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(await readFile(join(next.home, "logs", "hall.log"), "utf8")).toContain(`${join(next.home, progress)} is broken`);
  });

  it("goes on by itself where an answer was there and the message behind it not yet sent", async () => {
    const { id, messageId } = story;
    const left = story.left[1] ?? "";
    const ended = { status: "idle", endedQuery: messageId };
    await writeFile(recordIn(left, id), JSON.stringify({ ...parsed(await readFile(recordIn(left, id), "utf8")), ...ended }));
    const waiting = newMessageId();
    await writeQueue(left, id, waiting);

    const next = await composeTestHall({ prepare: (fresh) => cp(left, fresh, { recursive: true }) });
    const { session } = await next.client.sessions.get(id);

    expect(session).toMatchObject({ status: "running", error: null });
    expect((await next.client.sessions.get(id)).messages.filter((message) => message.id === waiting)).toHaveLength(1);
    expect((await next.client.sessions.queue.list(id)).messages).toEqual([]);
  });

  it("is told as stopped where a message was stopped while it waited for a free place, and the hall ended before it could say so", async () => {
    const { id, messageId, left } = await leftWaiting();
    const wish = join(left, "state/engine/open", `${messageId}.cancel.json`);
    await writeFile(wish, JSON.stringify({ version: 1, requestedAt: new Date().toISOString() }));

    const next = await composeTestHall({ prepare: (fresh) => cp(left, fresh, { recursive: true }) });

    expect((await next.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "stopped" }, messageCount: 1 });
  });
});

const oneAtATime = { runs: { atOnce: 1 } };

/** What a hall leaves in which a message waits for an answer of another session. */
async function leftWaiting(): Promise<{ id: SessionId; messageId: MessageId; left: string }> {
  const { client, home } = await composeTestHall({ config: oneAtATime });
  const busy = await client.sessions.create({ name: "Busy" });
  const { id } = await client.sessions.create({ name: "Waits" });
  await client.sessions.send(busy.id, "long answer");
  await firstText(client, busy.id);
  const { messageId } = await client.sessions.send(id, "hello");
  return { id, messageId, left: await filesLeft(home, join(await temporaryFolder(), "left")) };
}

const recordIn = (home: string, id: SessionId): string => join(home, "sessions", id, "session.json");
const parsed = (text: string): object => JSON.parse(text) as object; // a document of the hall

/** A copy of what the hall itself has written, as it is at this moment. */
async function filesLeft(home: string, left: string): Promise<string> {
  for (const part of ["version", "sessions", "state/engine", "state/progress"])
    await cp(join(home, part), join(left, part), { recursive: true });
  return left;
}

async function writeQueue(home: string, id: SessionId, messageId: MessageId): Promise<void> {
  const message: Message = { id: messageId, role: "user", at: new Date().toISOString(), blocks: [{ type: "text", text: "hello" }] };
  await writeFile(join(home, "sessions", id, "queue.json"), JSON.stringify({ version: 1, messages: [message] }));
}

async function firstText(client: HallClient, id: SessionId): Promise<void> {
  for await (const { event } of client.sessions.events(id)) if (event.event === "text") return;
}
