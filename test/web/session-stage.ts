import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { newMessageId } from "../../src/schema/ids.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Block, Message } from "../../src/schema/session.ts";
import type { Hall } from "../running-hall.ts";
import type { Look, TestBrowser } from "./browser.ts";
import { isAlive } from "./browser.ts";

/** A session with a history that nobody had to talk for: questions and answers in turn. */
export async function withHistory(hall: Hall, name: string, count: number): Promise<{ id: SessionId; messages: Message[] }> {
  const messages = Array.from({ length: count }, (_, index) => said(index));
  return { id: await withMessages(hall, name, messages), messages };
}

export async function withMessages(hall: Hall, name: string, messages: readonly Message[]): Promise<SessionId> {
  const { id } = await hall.client.sessions.create({ name });
  await writeFile(join(hall.home, "sessions", id, "messages.jsonl"), messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  return id;
}

export const question = (text: string): Message => ({ ...answer({ type: "text", text }), role: "user" });

export const answer = (...blocks: Block[]): Message => ({
  id: newMessageId(),
  role: "assistant",
  at: new Date().toISOString(),
  blocks,
});

/** A tool call that was made, and what came of it. */
export function called(name: string, content: unknown, isError = false): Block[] {
  const id = `call ${name}`;
  return [
    { type: "tool_use", id, name, input: { path: "plan" } },
    { type: "tool_result", id, content, isError },
  ];
}

/** Of many heights, as real ones are. */
function said(index: number): Message {
  const isQuestion = index % 2 === 0;
  const lines = Array.from({ length: 1 + ((index * 7) % 9) }, (_, line) => `Line ${line + 1} of message ${index}.`);
  return {
    id: newMessageId(),
    role: isQuestion ? "user" : "assistant",
    at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
    blocks: [{ type: "text", text: isQuestion ? `Question ${index}` : `Answer ${index}\n\n${lines.join("\n\n")}` }],
  };
}

export async function openSession(browser: TestBrowser, hall: Hall, id: SessionId, look?: Look & { hash?: string }): Promise<Page> {
  const page = await browser.open(`${hall.url}/sessions/${id}${look?.hash === undefined ? "" : `#${look.hash}`}`, look);
  await isAlive(page);
  return page;
}

export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

export const isIdle = (page: Page): Promise<void> => page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

/** Runs in the page, where `log` is the conversation. */
export const inLog = <Answer>(page: Page, script: string): Promise<Answer> =>
  page.evaluate<Answer>(`(async (log) => { ${script} })(document.querySelector("[role=log]"))`);

export const distanceFromEnd = (page: Page): Promise<number> =>
  inLog(page, "return Math.round(log.scrollHeight - log.scrollTop - log.clientHeight);");
