import { appendFile, mkdir } from "node:fs/promises";
import { newMessageId, newSessionId } from "../../../schema/ids.ts";
import type { SessionId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createLayout } from "../layout.ts";
import type { Layout } from "../layout.ts";

/** A home with sessions in which this was said. */
export async function homeWith(...sessions: string[][]): Promise<{ layout: Layout; ids: SessionId[] }> {
  const layout = createLayout(await temporaryFolder());
  await mkdir(layout.sessions);
  const ids = sessions.map(() => newSessionId());
  for (const [number, texts] of sessions.entries()) await say(layout, ids[number], ...texts);
  return { layout, ids };
}

export async function say(layout: Layout, id: SessionId | undefined, ...texts: string[]): Promise<void> {
  if (id === undefined) return;
  await mkdir(layout.session(id).folder, { recursive: true });
  await appendFile(layout.session(id).messages, texts.map((text) => `${JSON.stringify(message(text))}\n`).join(""));
}

const at = "2026-01-01T00:00:00.000Z";
export const message = (text: string): Message => ({ id: newMessageId(), role: "user", at, blocks: [{ type: "text", text }] });
