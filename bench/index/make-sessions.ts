import { mkdir, writeFile } from "node:fs/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import type { Layout } from "../../src/adapters/files/layout.ts";
import { newMessageId, newSdkSessionId, newSessionId } from "../../src/schema/ids.ts";
import type { Message, Session } from "../../src/schema/session.ts";
import { nothingUsed } from "../../src/schema/usage.ts";

const batchSize = 200;
const messagesPerSession = 6;

/** A home with many sessions and what was said in them, as years of use would leave it. */
export async function makeSessions(home: string, count: number): Promise<Layout> {
  const layout = createLayout(home);
  await mkdir(layout.sessions, { recursive: true });
  for (let start = 0; start < count; start += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => start + offset);
    await Promise.all(
      batch.map(async (number) => {
        const session = sessionOf(number);
        const { folder, record, messages } = layout.session(session.id);
        await mkdir(folder);
        await writeFile(messages, linesOf(session, number));
        await writeFile(record, `${JSON.stringify({ version: 1, ...session }, null, 2)}\n`);
      }),
    );
  }
  return layout;
}

/** What everybody of the first few says somewhere, and nobody else. */
export const rareWord = "zinnober";
/** What nearly every message says. */
export const commonWord = wordOf(1);

function linesOf({ createdAt: at }: Session, number: number): string {
  const random = createRandom(number + 1);
  const texts = Array.from({ length: messagesPerSession }, () =>
    Array.from({ length: wordsPerMessage }, () => words[Math.floor(words.length ** random()) - 1] ?? "").join(" "),
  );
  if (number < 3) texts.push(`And then ${rareWord}.`);
  const messages = texts.map((text, count): Message => {
    const role = count % 2 === 0 ? "user" : "assistant";
    return { id: newMessageId(), role, at, blocks: [{ type: "text", text }] };
  });
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

const wordsPerMessage = 60;
/** The first are said most: each about as often as its place tells, as in what people write. */
const words = Array.from({ length: 30_000 }, (_, place) => wordOf(place + 1));

/** Letters that no two of them share, and no name has. */
function wordOf(place: number): string {
  return (place * 7919 + 1000).toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
}

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sessionOf(number: number): Session {
  const at = new Date(Date.UTC(2025, 0, 1) + ((number * 7919) % 500_000) * 60_000).toISOString();
  return {
    id: newSessionId(),
    kind: "session",
    name: `Session ${number}: a question about part ${number % 97}`,
    status: number % 3 === 0 ? "completed" : "idle",
    members: ["files", "git"],
    model: null,
    sdkSessionId: newSdkSessionId(),
    messageCount: number % 60,
    createdAt: at,
    lastActivityAt: at,
    costUsd: (number % 100) / 100,
    usage: nothingUsed,
    limits: {},
    error: null,
    renewedAt: null,
    preview: `The answer to question ${number} is that it depends on part ${number % 97}, as the measurement shows.`,
    waitingFor: null,
    endedQuery: null,
  };
}
