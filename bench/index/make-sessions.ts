import { mkdir, writeFile } from "node:fs/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import type { Layout } from "../../src/adapters/files/layout.ts";
import { newSdkSessionId, newSessionId } from "../../src/schema/ids.ts";
import type { Session } from "../../src/schema/session.ts";

const batchSize = 200;

/** A home with many sessions, as years of use would leave it. */
export async function makeSessions(home: string, count: number): Promise<Layout> {
  const layout = createLayout(home);
  await mkdir(layout.sessions, { recursive: true });
  for (let start = 0; start < count; start += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => sessionOf(start + offset));
    await Promise.all(
      batch.map(async (session) => {
        const { folder, record } = layout.session(session.id);
        await mkdir(folder);
        await writeFile(record, `${JSON.stringify({ version: 1, ...session }, null, 2)}\n`);
      }),
    );
  }
  return layout;
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
    limits: {},
    error: null,
    renewedAt: null,
    preview: null,
  };
}
