import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { buildWeb } from "../../scripts/build-web.ts";
import { newMessageId } from "../../src/schema/ids.ts";
import type { Message } from "../../src/schema/session.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { spawnHall } from "../../test/hall-process.ts";
import { openBrowser, windowSize } from "./open-browser.ts";

export type WebStage = {
  /** A session with so many messages in it, open in a page of its own that is alive. */
  open(history?: number): Promise<Page>;
  send(page: Page, text: string): Promise<void>;
  /** When the model was last asked, on the clock all processes share. */
  lastAsked(): number;
  end(): Promise<void>;
};

/** A hall with its pages in a real browser, and a model that answers at once. */
export async function setWebStage(reply: () => Reply): Promise<WebStage> {
  await buildWeb({ ifStale: true });
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  let asked = 0;
  const model = await startScriptedModel({
    script: () => {
      asked = now();
      return reply();
    },
  });
  const hall = await spawnHall(join(folder, "home"), { env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "bench" } });
  const browser = await openBrowser();

  return {
    async open(history = 0) {
      const { id } = await hall.client.sessions.create({ name: "Measured" });
      const lines = Array.from({ length: history }, (_, index) => `${JSON.stringify(said(index))}\n`);
      await writeFile(join(hall.home, "sessions", id, "messages.jsonl"), lines.join(""));
      const page = await browser.newPage(windowSize);
      await page.goto(`${hall.url}/sessions/${id}`);
      await page.locator("[data-live=online]").waitFor({ state: "attached" });
      return page;
    },
    async send(page, text) {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.keyboard.press("Enter");
    },
    lastAsked: () => asked,
    async end() {
      await browser.close();
      await hall.end("SIGTERM");
      await model.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Pages count from another moment than we do; both know when that was. */
const now = (): number => performance.timeOrigin + performance.now();

const said = (index: number): Message => ({
  id: newMessageId(),
  role: index % 2 === 0 ? "user" : "assistant",
  at: new Date().toISOString(),
  blocks: [{ type: "text", text: messageText(index) }],
});

export const messageText = (index: number): string =>
  `Message ${index}. ${"It has words, `code` and **marks**. ".repeat(1 + (index % 12))}`;
