import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../src/schema/ids.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HostedHall } from "../running-hall.ts";
import { goTo, isAlive, openAlive, setLook, setVisibility, shoot, startBrowser } from "./browser.ts";
import type { TestBrowser, TestWindow } from "./browser.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { memberRow } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: HostedHall;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  await hall.client.sessions.create({ name: "The first" });
});

describe("tabs of one browser", () => {
  let window: TestWindow;
  let streams: () => number;
  beforeAll(async () => {
    window = await browser.window({ lasts: true });
    streams = countStreams(window);
    return () => window.context.close();
  });

  /** So many of them: those that tests before have left, and new ones. The first of all holds the stream. */
  async function tabsAt(...urls: string[]): Promise<Page[]> {
    const tabs = window.context.pages();
    for (const [at, url] of urls.entries()) {
      const tab = tabs[at];
      if (tab === undefined) tabs.push(await window.tab(url));
      else if (tab.url() !== url) await goTo(tab, url);
      await expect.poll(streams).toBeGreaterThan(0);
    }
    await Promise.all(tabs.map(isAlive));
    return tabs;
  }

  it("share one stream: each loads, each hears of a change, each can be used", async () => {
    const tabs = await tabsAt(board(), board(), board());

    await hall.client.sessions.create({ name: "Seen by all" });
    await Promise.all(tabs.map((tab) => tab.getByRole("heading", { level: 3, name: "Seen by all" }).waitFor()));

    expect(streams()).toBe(1);
    await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: "Ended 0" }).click()));
    await Promise.all(tabs.map((tab) => tab.getByText("No session is ended").waitFor()));
  });

  it("stay usable where there are more of them than connections, with a session open in each: one that runs is followed in another, which lets go of its stream while it is out of sight and goes on where it was", async () => {
    const ids: SessionId[] = [];
    for (let count = 0; count < 6; count += 1) ids.push((await hall.client.sessions.create({ name: `Session ${count}` })).id);
    const followed = ids.at(-1) ?? newSessionId();
    const tabs = await tabsAt(...[...ids, followed].map((id) => `${hall.url}/sessions/${id}`));
    const [speaker, reader] = [tabs.pop() ?? (await window.tab(board())), tabs.pop() ?? (await window.tab(board()))];

    await speaker.getByRole("textbox", { name: "Message" }).fill("long answer");
    await speaker.keyboard.press("Enter");
    await Promise.all([speaker, reader].map((tab) => tab.getByRole("log").getByText("Line 2 of 120").waitFor()));
    const isStream = (request: Request) => request.url().endsWith(`${followed}/events`);
    const released = reader.waitForEvent("requestfailed", isStream);
    await setVisibility(reader, "hidden");
    await released;
    const resumed = reader.waitForRequest((request) => isStream(request) && request.headers()["last-event-id"] !== undefined);
    await setVisibility(reader, "visible");
    await resumed;

    await reader.getByRole("log").getByText("Line 9 of 120").waitFor();
    await reader.getByRole("button", { name: "Stop" }).click();
    await Promise.all([speaker, reader].map((tab) => tab.getByRole("button", { name: "Continue" }).waitFor()));
    for (const line of [1, 2]) expect(await reader.getByRole("log").getByText(`Line ${line} of 120`).count()).toBe(1);
    await Promise.all([reader, speaker, ...tabs.slice(2)].map((tab) => tab.close()));
  });

  it("the next takes the stream over when the one that held it closes", async () => {
    const [leader, next] = await tabsAt(board(), board());
    const before = streams();

    await leader?.close();
    await expect.poll(streams).toBe(before + 1);
    await hall.client.sessions.create({ name: "After the hand-over" });

    await next?.getByRole("heading", { level: 3, name: "After the hand-over" }).waitFor();
  });

  it("say that a session is gone which was deleted in another, and what it showed stays to be read", async () => {
    const session = await hall.client.sessions.create({ name: "Short-lived" });
    // One that has nothing to draw again. What it asks for as it opens may be answered when the session is gone.
    const page = await openAlive(browser, `${hall.url}/sessions/${session.id}`, { expects: /404/ });

    await hall.client.sessions.remove(session.id);
    await page.getByText("This session was deleted.").waitFor();
    expect(await outOfOrder(page, "workshop-deleted")).toEqual([]);

    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Short-lived");
  });
});

describe("a page that was just opened", () => {
  it("is not drawn a second time where nothing has changed since it was drawn, and has what happened before its stream stood", async () => {
    const { context, tab } = await browser.window();
    await context.clock.install();
    const asked: string[] = [];
    context.on("request", (request) => void asked.push(request.url()));
    const page = await tab(hall.url);
    await isAlive(page);

    await page.clock.runFor(1000);
    const again = asked.filter((url) => /_rsc=|api\/(health|sessions)/.test(url));
    expect(again).toEqual([]);
    await page.route("**/api/events", async (route) => {
      await hall.client.sessions.create({ name: "In between" });
      await route.continue();
    });
    await page.goto(hall.url);

    await expect.poll(() => page.getByRole("heading", { level: 3, name: "In between" }).count()).toBe(1);
  });
});

describe("a hall that goes away", () => {
  it("is missed in words that cover nothing, at 1440 px and at 390 px; pages recover by themselves when it is back, with what came meanwhile, or as soon as anything is answered", async () => {
    const { id } = await hall.client.sessions.create({ name: "Before" });
    const { tab } = await browser.window({ expects: /ERR_|Failed to fetch/ });
    const [page, roster] = [await tab(hall.url), await tab(`${hall.url}/roster`)];
    await Promise.all([page, roster].map(isAlive));
    const waiting = await openWithStoppedClock(id);
    const unlimited = waiting.getByText("This session has no limit.");

    await hall.close();
    for (const each of [page, roster, waiting]) await banner(each).waitFor();
    expect(await unlimited.count()).toBe(0);
    await waiting.unroute("**/api/spending");
    // From here on no pause between two tries ends by itself.
    await waiting.clock.pauseAt(Date.now() + 60_000);
    for (const width of [1440, 390] as const) {
      await setLook(waiting, { width });
      await shoot(waiting, `offline-${width}`);
      const [said, main] = await Promise.all([waiting.locator("[data-live]").boundingBox(), waiting.getByRole("main").boundingBox()]);
      expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(main?.y ?? 0);
    }
    expect(await outOfOrder(page, "offline", { looks: lightDarkSmall })).toEqual([]);
    await putListingMember(hall.home, "newcomer", { displayName: "Newcomer", tools: [] });
    hall = await startSharedHall({ home: hall.home, flags: ["--port", new URL(hall.url).port] });
    await hall.client.sessions.create({ name: "After" });

    for (const each of [page, roster]) await banner(each).waitFor({ state: "detached" });
    const cards = page.getByRole("region", { name: "Board" }).getByRole("heading", { level: 3 });
    await expect.poll(async () => (await cards.allInnerTexts()).slice(0, 2)).toEqual(["After", "Before"]);
    await memberRow(roster.getByRole("main"), "Newcomer").getByText("Connected").waitFor();
    await expect.poll(() => roster.getByRole("main").innerText()).toContain("1 of 1 connected");
    expect(await banner(waiting).count()).toBe(1);
    await waiting.evaluate("fetch('/api/health').then((answer) => answer.json())");
    await banner(waiting).waitFor({ state: "detached" });
    await unlimited.waitFor({ state: "attached" });
  });
});

const board = (): string => `${hall.url}/`;

const banner = (page: Page) => page.locator("[data-live]").getByText("The hall does not answer.", { exact: true });

async function openWithStoppedClock(id: string): Promise<Page> {
  const { context, tab } = await browser.window({ expects: /ERR_/ });
  await context.clock.install();
  const page = await tab("about:blank");
  await page.route("**/api/spending", (route) => route.abort());
  await page.goto(`${hall.url}/sessions/${id}`);
  await isAlive(page);
  return page;
}

/** How many hall-wide streams the window has opened so far. */
function countStreams({ context }: TestWindow): () => number {
  let count = 0;
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/events") count += 1;
  });
  return () => count;
}
