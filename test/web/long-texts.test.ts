import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { fillTask, longTexts } from "../../bench/load/long-texts.ts";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { newSessionId } from "../../src/schema/ids.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startHallProcess, startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { isAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { areConnected } from "./roster-stage.ts";
import { isIdle, send } from "./session-stage.ts";
import { storeSessions } from "./stored-sessions.ts";

const [answers, twoMegabytes, , quotes, shapes] = Object.values(longTexts);
const ids = { answers: newSessionId(), large: newSessionId(), quotes: newSessionId(), shapes: newSessionId(), failing: newSessionId() };
const withQuestions = (texts: readonly string[] = []): string[] => texts.flatMap((text) => ["Tell me.", text]);
const stored = [
  { id: ids.answers, name: "Forty answers", says: withQuestions(answers) },
  { id: ids.large, name: "Large answers", says: withQuestions(Array.from({ length: 5 }, () => fillTask(400_000).result)) },
  { id: ids.quotes, name: "Quotes", says: withQuestions(quotes) },
  { id: ids.shapes, name: "Shapes", says: withQuestions(shapes) },
  { id: ids.failing, name: "Failing", says: ["Tell me.", "This **breaks**.", "And then?", "This is **fine**."] },
];

let browser: TestBrowser;
let hall: Hall;
let page: Page;

beforeAll(async () => {
  const model = await startScriptedModel({ script: () => ({ text: twoMegabytes?.[0] ?? "", chunkSize: 100_000 }) });
  const prepare = async (home: string): Promise<void> => {
    await storeSessions(home, stored);
    await putMember(home, "writer", { displayName: "Writer", description: "Writes much.", version: "1.0.0", ...playedWorker() });
  };
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" };
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false, prepare, env })]);
  page = await browser.open(hall.url, { lasts: true });
  return () => model.close();
});

async function open(path: string): Promise<void> {
  await page.goto(`${hall.url}${path}`);
  await isAlive(page);
}

const sessionPath = (id: SessionId): string => `/sessions/${id}`;

describe("long and deep texts of a model (SEC-15)", () => {
  it("are cut where an answer has more than a million characters, with a sentence", async () => {
    const note = "[Cut here: the answer has more than 1,000,000 characters. The rest was left out.]";
    const { id } = await hall.client.sessions.create({ name: "Two megabytes" });
    await open(sessionPath(id));
    await send(page, "Tell me all of it.");
    await page.getByText(note).waitFor();
    await isIdle(page);

    const [, said] = (await hall.client.sessions.get(id)).messages;
    const text = said?.blocks[0]?.type === "text" ? said.blocks[0].text : "";
    expect(text.slice(-100)).toContain(note);
    expect(text.length).toBeLessThan(1_000_200);
    await open(sessionPath(id));
    await page.getByText(note).waitFor();
    expect(await page.getByText("This text is very long. It is not formatted from here on.").count()).toBe(1);
  });

  it("come by pages of a bounded size", async () => {
    const { messages, nextCursor } = await hall.client.sessions.get(ids.large);

    expect(JSON.stringify(messages).length).toBeLessThan(1_100_000);
    expect(messages.length).toBeGreaterThan(3);
    expect(nextCursor).not.toBeNull();
  });

  it("are not formatted by the hall", async () => {
    const html = await (await fetch(`${hall.url}${sessionPath(ids.answers)}`)).text();

    expect(html).toContain("Some **bold** words");
    expect(html).not.toContain("<strong");
    expect(html.length).toBeLessThan(4_000_000);
  });

  it("are formatted in the browser, where they are in sight", async () => {
    await open(sessionPath(ids.answers));

    await page.getByRole("heading", { level: 3, name: "Part 39" }).first().waitFor();
    expect(await page.getByRole("article").count()).toBeLessThan(20);
  });

  it("are shown as plain text where they are nested too deep", async () => {
    await open(sessionPath(ids.quotes));

    const quoted = page.getByRole("article").filter({ hasText: "> > > >" });
    await quoted.first().waitFor();
    expect(await page.getByRole("log").locator("blockquote").count()).toBe(0);
  });

  it("open whatever their shape", async () => {
    await open(sessionPath(ids.shapes));

    await page.getByRole("log").getByRole("list").first().waitFor();
    expect(await page.getByRole("log").getByText("]".repeat(100)).count()).toBeGreaterThan(0);
  });

  it("are shown as they came where their formatted form cannot be drawn, and the page stays", async () => {
    const { context, tab } = await browser.window({ expects: /injected/ });
    await context.addInitScript(`const { split } = String.prototype;
      String.prototype.split = function (...given) {
        if (String(this).startsWith("This **breaks**.")) throw new Error("injected");
        return split.apply(this, given);
      };`);
    const failing = await tab(`${hall.url}${sessionPath(ids.failing)}`);
    await isAlive(failing);

    await failing.getByRole("log").locator("strong", { hasText: "fine" }).waitFor();
    expect(await failing.getByRole("log").getByText("This **breaks**.").isVisible()).toBe(true);
  });
});

describe("a result of 4 MB of a worker (SEC-15)", () => {
  it("is shown in part, and saved whole", async () => {
    await areConnected(hall, "writer");
    const { task, result } = fillTask(4_000_000);
    const { jobId } = await hall.client.jobs.dispatch("writer", { description: "Much", task });
    const html = await (await fetch(`${hall.url}/jobs/writer/${jobId}`)).text();
    await open(`/jobs/writer/${jobId}`);
    await page.getByText("This is the first 200 kB of 4.0 MB.").waitFor();

    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download result" }).click();
    const path = join(await (await saved).path());

    expect(html.length).toBeLessThan(1_000_000);
    expect(await readFile(path, "utf8")).toBe(result);
  });
});

describe("a hall whose longest pages are asked for", () => {
  it("ends at SIGTERM (SEC-17)", async () => {
    const home = join(await temporaryFolder(), "home");
    await storeSessions(home, stored);
    const busy = await startHallProcess({ bundled: false, waiting: false, home });
    const firstPage = Promise.withResolvers<string>();
    let open = 0;
    async function askAgainAndAgain(): Promise<void> {
      for (;;) {
        open += 1;
        const html = await fetch(`${busy.url}${sessionPath(ids.answers)}`)
          .then((page) => page.text())
          .catch(() => null);
        open -= 1;
        if (html === null) return;
        firstPage.resolve(html);
      }
    }
    const readers = Array.from({ length: 12 }, askAgainAndAgain);

    // Before the first page is there, the hall may not have started to draw: it would end in time however long drawing takes.
    const { length } = await firstPage.promise;
    const openAtSignal = open;
    const end = await busy.end("SIGTERM");
    await Promise.all(readers);

    expect(length).toBeGreaterThan(1_000_000);
    expect(openAtSignal).toBeGreaterThan(6);
    expect(end).toEqual({ code: 0, signal: null });
  });
});
