import { newMessageId } from "../../schema/ids.ts";
import type { SessionId } from "../../schema/ids.ts";
import { createLayout } from "./layout.ts";
import { openSessionStore } from "./session-store.ts";
import { sessionWith } from "../../schema/session.testing.ts";

/** Works on sessions as fast as it can until it is killed, and says what was done only once it was. */
const store = await openSessionStore({ layout: createLayout(process.argv[2] ?? "") });
const say = (...words: (string | number)[]) => process.stdout.write(`${words.join(" ")}\n`);
const at = "2026-01-01T00:00:00.000Z";
const sessions: SessionId[] = [];

async function create(): Promise<void> {
  const session = await store.create(sessionWith({ name: "0" }));
  sessions.push(session.id);
  say("created", session.id);
}

async function work(id: SessionId, count: number): Promise<void> {
  const messageId = newMessageId();
  await store.appendMessage(id, { id: messageId, role: "user", at, blocks: [{ type: "text", text: "x".repeat(count * 97) }] });
  say("said", id, messageId);
  await store.update(id, (session) => ({ ...session, name: String(count), lastActivityAt: new Date().toISOString() }));
  say("updated", id, count);
}

for (let count = 1; ; count += 1) {
  await create();
  await Promise.all(sessions.slice(-4).map((id) => work(id, count)));
  const oldest = sessions.length > 6 ? sessions.shift() : undefined;
  if (oldest === undefined) continue;
  say("removing", oldest);
  await store.remove(oldest);
  say("removed", oldest);
}
