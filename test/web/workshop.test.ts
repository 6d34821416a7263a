import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { axeFindings, lowTargets, setVisibility, shoot, startBrowser, wideElements } from "./browser.ts";
import type { Look, TestBrowser } from "./browser.ts";
import { isIdle, openSession, send } from "./session-stage.ts";

let browser: TestBrowser;
let hall: HallProcess;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall()]);
});

const queue = (page: Page) => page.getByRole("region", { name: /wait/ });

describe("a message to a session that is busy", () => {
  it("waits, can be taken back, and is sent after the answer (REQ-GH1-14, REQ-GH1-16)", async () => {
    const page = await open("Queueing");
    await send(page, "long answer");
    await page.getByText("Line 1 of 120").waitFor();

    await page.getByRole("textbox", { name: "Message" }).fill("not after all");
    await page.getByRole("button", { name: "Queue" }).click();
    await queue(page).getByText("not after all").waitFor();
    await send(page, "hello");
    await queue(page).getByText("hello").waitFor();
    await queue(page)
      .getByRole("listitem")
      .filter({ hasText: "not after all" })
      .getByRole("button", { name: "Remove from the queue" })
      .click();
    await queue(page).getByText("not after all").waitFor({ state: "detached" });

    await queue(page).waitFor({ state: "detached", timeout: 60_000 });
    await page.getByRole("article").filter({ hasText: "hello" }).first().waitFor();
    await isIdle(page);
    const questions = await page
      .getByRole("article")
      .filter({ has: page.getByRole("heading", { name: /^You/ }) })
      .allInnerTexts();
    expect(questions.map((text) => /long answer|not after all|hello/.exec(text)?.[0])).toEqual(["long answer", "hello"]);
  }, 90_000);

  it("is held back by a stop until the person lets it go (REQ-GH1-17)", async () => {
    const page = await open("Holding");
    await send(page, "long answer");
    await page.getByText("Line 2 of 120").waitFor();
    await send(page, "hello");
    await queue(page).getByText("hello").waitFor();

    await page.keyboard.press("Escape");
    await page.getByText("Held back after the last answer broke off.").waitFor();
    await shoot(page, "workshop-held-1440-light");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Send now" }).click();

    await queue(page).waitFor({ state: "detached" });
    await page.getByRole("article").filter({ hasText: "hello" }).first().waitFor();
    await isIdle(page);
  });

  it.each<Look>([
    { theme: "dark", width: 1440 },
    { theme: "light", width: 390 },
  ])("has nothing that axe finds wrong while it waits, in $theme at $width px", async (look) => {
    const { id } = await hall.client.sessions.create({ name: "Looks" });
    const page = await openSession(browser, hall, id, look);
    await send(page, "long answer");
    await page.getByText("Line 1 of 120").waitFor();
    await send(page, "and then this");
    await queue(page).getByText("and then this").waitFor();
    await shoot(page, `workshop-queue-${look.width}-${look.theme}`);

    expect(await wideElements(page)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    expect(look.width === 390 ? await lowTargets(page) : []).toEqual([]);
    await hall.client.sessions.stop(id);
  });
});

describe("after trouble", () => {
  it("a session that the model has forgotten is renewed, and the message that found out is offered again (REQ-GH1-22)", async () => {
    const { id } = await hall.client.sessions.create({ name: "Forgotten" });
    // Nobody looks at it meanwhile: an agent that was made ready for the next message would still remember.
    await hall.client.sessions.send(id, "hello");
    await expect.poll(async () => (await hall.client.sessions.get(id)).session.status, { timeout: 20_000 }).toBe("idle");
    await forgetConversation(id);
    const page = await openSession(browser, hall, id);
    await send(page, "help");
    await page.getByText("no longer exists").first().waitFor();

    await page.getByRole("button", { name: "Renew" }).first().click();
    await page.getByText("Your last message was not answered.").waitFor();
    await page.getByRole("button", { name: "Send it again" }).click();

    await page.getByText("Your last message was not answered.").waitFor({ state: "detached" });
    await isIdle(page);
    await expect.poll(async () => (await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: null });
  });

  it("a limit that is used up is named, and can be raised where the message was refused", async () => {
    const { id } = await hall.client.sessions.create({ name: "Dear", limits: { maxCostUsd: 0.0000001 } });
    const page = await openSession(browser, hall, id, { expects: /409/ });
    await spend(id);

    await send(page, "hello");

    await page.getByText("its limit is").first().waitFor();
    await page.getByRole("button", { name: "Raise the limit" }).click();
    await expect.poll(async () => (await hall.client.sessions.get(id)).session.limits.maxCostUsd).toBeGreaterThan(1);
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Message" }).press("Enter");
    await isIdle(page);
    await page.getByRole("article").nth(1).waitFor();
  });
});

describe("a session that changes elsewhere", () => {
  it("shows its new name and limits without a reload (REQ-GH1-16)", async () => {
    const { id } = await hall.client.sessions.create({ name: "Before" });
    const page = await openSession(browser, hall, id);

    await hall.client.sessions.change(id, { name: "After", limits: { maxCostUsd: 7 } });

    await page.getByRole("heading", { level: 1, name: "After" }).waitFor();
    await expect.poll(() => page.getByRole("complementary", { name: "Session" }).innerText()).toContain("of $7.00");
  });
});

describe("a session nobody named", () => {
  it("is offered a name from its first message, and takes it only when told to", async () => {
    const page = await open("Untitled");
    await send(page, "please tell me hello");

    await page.getByText("Call it Tell me hello?").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Untitled");
    await page.getByRole("button", { name: "Use this name" }).click();

    await page.getByRole("heading", { level: 1, name: "Tell me hello" }).waitFor();
    await page.getByText("Call it").waitFor({ state: "detached" });
  });
});

describe("a run that is not looked at", () => {
  it("is in the title while it runs, and when it has ended unseen", async () => {
    const page = await open("Titled");
    await send(page, "tour");
    await expect.poll(() => page.title()).toMatch(/^Running: Titled/);

    await setVisibility(page, "hidden");
    await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/^Done: Titled/);
    await setVisibility(page, "visible");

    await expect.poll(() => page.title()).toMatch(/^Titled/);
  }, 60_000);

  it("is told by the browser only where the person wanted it", async () => {
    const { id } = await hall.client.sessions.create({ name: "Told" });
    const { context, tab } = await browser.window();
    await context.grantPermissions(["notifications"]);
    await context.addInitScript(rememberNotifications);
    const page = await tab(`${hall.url}/sessions/${id}`);
    await page.getByRole("button", { name: "Tell me when a run ends" }).click();
    await send(page, "hello");
    await page.getByRole("button", { name: "Stop" }).waitFor();

    await setVisibility(page, "hidden");

    await expect.poll(() => page.evaluate<string[]>("window.told"), { timeout: 20_000 }).toEqual(["Told: The answer is complete."]);
  }, 60_000);
});

async function open(name: string): Promise<Page> {
  const { id } = await hall.client.sessions.create({ name });
  return openSession(browser, hall, id);
}

/** The session's record names a conversation that the SDK has never seen. */
async function forgetConversation(id: SessionId): Promise<void> {
  await edit(id, (text) => text.replace(/"sdkSessionId": "[^"]+"/, `"sdkSessionId": "${crypto.randomUUID()}"`));
}

const spend = (id: SessionId): Promise<void> => edit(id, (text) => text.replace(/"costUsd": [^,]+/, '"costUsd": 1.5'));

async function edit(id: SessionId, change: (text: string) => string): Promise<void> {
  const record = join(hall.home, "sessions", id, "session.json");
  await writeFile(record, change(await readFile(record, "utf8")));
}

/** A notification is drawn by the system, where no test can see it: what the page hands over is written down. */
const rememberNotifications = `window.told = [];
  window.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { super(); window.told.push(title + ": " + body); }
    close() {}
  };`;
