import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startHall, startHallProcess, startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { distanceFromEnd, inLog, isIdle, openSession, send } from "./session-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

const chunks = 5000;
const paragraphs = Array.from({ length: 250 }, (_, index) => `Paragraph ${index} ${"of words that go on ".repeat(9)}and end.`);
const longText = paragraphs.join("\n\n");

beforeAll(async () => {
  const model = await startScriptedModel({
    script: {
      name: "long",
      turns: [
        { when: { userContains: "all of it" }, reply: { text: longText, chunkSize: Math.ceil(longText.length / chunks) } },
        { reply: { text: Array.from({ length: 200 }, (_, line) => `Row ${line}`).join("\n\n"), chunkSize: 8, chunkDelayMs: 15 } },
      ],
    },
  });
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: false, waiting: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" } }),
  ]);
  return () => model.close();
});

describe("an answer of 5,000 pieces", () => {
  it("is shown whole, once, in the order it came, and the end is followed (REQ-GH1-15, REQ-GH1-16)", async () => {
    const { id } = await hall.client.sessions.create({ name: "Long answer" });
    page = await openSession(browser, hall, id, { lasts: true });

    await send(page, "all of it");
    await page
      .getByRole("log")
      .getByText(/^Paragraph 249 /)
      .waitFor({ timeout: 120_000 });
    await isIdle(page);

    // A browser that cannot keep up reads the rest when the answer is complete.
    await expect.poll(() => page.getByRole("article").last().locator("p").allTextContents()).toEqual(paragraphs);
    expect(await distanceFromEnd(page)).toBeLessThan(2);
  }, 180_000);

  it("leaves a reader who went up where they are", async () => {
    const { id } = await hall.client.sessions.create({ name: "Reading" });
    await goTo(page, `${hall.url}/sessions/${id}`);
    await send(page, "rows");
    await page.getByRole("log").getByText("Row 60", { exact: true }).waitFor({ timeout: 30_000 });

    await page.getByRole("log").getByText("Row 5", { exact: true }).scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    const before = await inLog<number>(page, "return log.scrollTop;");
    await page.getByRole("log").getByText("Row 80", { exact: true }).waitFor({ state: "attached", timeout: 30_000 });

    expect(await inLog<number>(page, "return log.scrollTop;")).toBe(before);
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(60);
    await page.keyboard.press("Escape");
    await isIdle(page);
  }, 90_000);
});

describe("a hall that is killed in the middle of an answer", () => {
  it("has what was streamed when it is back, and goes on when asked (REQ-GH1-17)", async () => {
    const first = await startHallProcess({ bundled: false, waiting: false });
    const { id } = await first.client.sessions.create({ name: "Interrupted" });
    const page = await openSession(browser, first, id, {
      expects: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|50\d/,
    });
    await send(page, "long answer");
    await page.getByRole("log").getByText("Line 5 of 120").waitFor();

    await first.end("SIGKILL");
    await startHall({ home: first.home, bundled: false, waiting: false, flags: ["--port", new URL(first.url).port] });

    await page.getByRole("log").getByText("The hall ended while this was running.").waitFor({ timeout: 30_000 });
    expect(await page.getByRole("log").getByText("Line 5 of 120").count()).toBe(1);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("log").getByText("Continue.", { exact: true }).waitFor();
    await isIdle(page);
  }, 90_000);
});
