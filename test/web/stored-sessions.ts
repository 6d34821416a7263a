import { mkdir, writeFile } from "node:fs/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { newMessageId } from "../../src/schema/ids.ts";
import type { Message, Session } from "../../src/schema/session.ts";
import { sessionWith } from "../../src/schema/session.testing.ts";

/** A session as a test says it; what is left out is as in a new one. `says` are its messages, by turns. */
export type StoredSession = Partial<Session> & { says?: readonly string[] };

/** Writes sessions into a home that no hall has open, as use would have left them. */
export async function storeSessions(home: string, sessions: readonly StoredSession[]): Promise<void> {
  const layout = createLayout(home);
  await mkdir(layout.sessions, { recursive: true });
  for (const { says = [], ...more } of sessions) {
    const session = sessionWith({ messageCount: says.length, ...more });
    const { folder, record, messages } = layout.session(session.id);
    await mkdir(folder);
    await writeFile(messages, says.map((text, at) => `${JSON.stringify(messageOf(text, at, session))}\n`).join(""));
    await writeFile(record, `${JSON.stringify({ version: 1, ...session }, null, 2)}\n`);
  }
}

const messageOf = (text: string, at: number, { createdAt }: Session): Message => ({
  id: newMessageId(),
  role: at % 2 === 0 ? "user" : "assistant",
  at: createdAt,
  blocks: [{ type: "text", text }],
});

export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
