import { readdir, readFile } from "node:fs/promises";
import type { Layout } from "../../src/adapters/files/layout.ts";
import { SessionId } from "../../src/schema/ids.ts";

/** What a list without an index does: reads every session and puts them in order. */
export async function readEverySession(layout: Layout): Promise<void> {
  const sessions: { lastActivityAt: string }[] = [];
  for (const name of await readdir(layout.sessions)) {
    const record = layout.session(SessionId.parse(name)).record;
    sessions.push(JSON.parse(await readFile(record, "utf8")) as { lastActivityAt: string }); // as makeSessions wrote them
  }
  sessions.sort((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt));
}

/** What a search without an index does: reads all that was said, and answers in how many sessions the word is. */
export async function readEveryHistory({ sessions, session }: Layout, word: string): Promise<number> {
  let found = 0;
  for (const name of await readdir(sessions)) {
    const text = await readFile(session(SessionId.parse(name)).messages, "utf8");
    if (text.toLowerCase().includes(word)) found += 1;
  }
  return found;
}
