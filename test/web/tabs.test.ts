import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { HostedHall } from "../running-hall.ts";
import { isAlive, openAlive, setVisibility, shoot, startBrowser } from "./browser.ts";
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
  it("share one stream: each loads, each hears of a change, each can be used", async () => {
    const window = await browser.window();
    const streams = countStreams(window);
    const tabs: Page[] = [];
    for (let count = 0; count < 3; count += 1) tabs.push(await window.tab(hall.url));
    await Promise.all(tabs.map(isAlive));

    await hall.client.sessions.create({ name: "Seen by all" });
    await Promise.all(tabs.map((tab) => tab.getByRole("heading", { level: 3, name: "Seen by all" }).waitFor()));

    expect(streams()).toBe(1);
    await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: "Ended 0" }).click()));
    await Promise.all(tabs.map((tab) => tab.getByText("No session is ended").waitFor()));
  });

  it("stay usable where there are more of them than connections, with a session open in each", async () => {
    const window = await browser.window();
    const tabs: Page[] = [];
    for (let count = 0; count < 7; count += 1) {
      const { id } = await hall.client.sessions.create({ name: `Session ${count}` });
      tabs.push(await window.tab(`${hall.url}/sessions/${id}`));
    }
    await Promise.all(tabs.map(isAlive));

    const last = tabs.at(-1) ?? (await window.tab(hall.url));
    await last.getByRole("textbox", { name: "Message" }).fill("hello");
    await last.keyboard.press("Enter");

    await expect.poll(() => last.getByRole("log").getByText("Scripted demo, no AI").count()).toBe(1);
  });

  it("the next tab takes the stream over when the one that held it closes", async () => {
    const window = await browser.window();
    const streams = countStreams(window);
    const leader = await window.tab(hall.url);
    await isAlive(leader);
    await expect.poll(streams).toBe(1);
    const next = await window.tab(hall.url);
    await isAlive(next);

    await leader.close();
    await expect.poll(streams).toBe(2);
    await hall.client.sessions.create({ name: "After the hand-over" });

    await next.getByRole("heading", { level: 3, name: "After the hand-over" }).waitFor();
  });

  it("a session that runs in one tab is followed in another", async () => {
    const session = await hall.client.sessions.create({ name: "Followed" });
    const window = await browser.window();
    const [speaker, reader] = [
      await window.tab(`${hall.url}/sessions/${session.id}`),
      await window.tab(`${hall.url}/sessions/${session.id}`),
    ];
    await Promise.all([isAlive(speaker), isAlive(reader)]);

    await speaker.getByRole("textbox", { name: "Message" }).fill("long answer");
    await speaker.keyboard.press("Enter");

    await reader.getByText("Line 5 of 120").waitFor();
    await reader.getByRole("button", { name: "Stop" }).click();
    await speaker.getByRole("button", { name: "Continue" }).waitFor();
    await reader.getByRole("button", { name: "Continue" }).waitFor();
    expect(await reader.getByRole("log").getByText("Line 1 of 120").count()).toBe(1);
  });

  it("a session deleted in one tab is said to be gone in another, and what it showed stays to be read", async () => {
    const session = await hall.client.sessions.create({ name: "Short-lived" });
    const page = await openAlive(browser, `${hall.url}/sessions/${session.id}`);

    await hall.client.sessions.remove(session.id);
    await page.getByText("This session was deleted.").waitFor();
    expect(await outOfOrder(page, "workshop-deleted")).toEqual([]);

    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Short-lived");
  });

  it("a tab out of sight lets go of its session stream and goes on where it was when it is looked at again", async () => {
    const session = await hall.client.sessions.create({ name: "Out of sight" });
    const window = await browser.window();
    const page = await window.tab(`${hall.url}/sessions/${session.id}`);
    await isAlive(page);
    const resumed = page.waitForRequest((request) => request.url().endsWith("/events") && request.headers()["last-event-id"] !== undefined);
    const released = page.waitForEvent("requestfailed", (request) => request.url().endsWith(`${session.id}/events`));

    await page.getByRole("textbox", { name: "Message" }).fill("long answer");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Line 2 of 120").waitFor();
    await setVisibility(page, "hidden");
    await released;
    await setVisibility(page, "visible");
    await resumed;

    await page.getByRole("log").getByText("Line 9 of 120").waitFor();
    expect(await page.getByRole("log").getByText("Line 2 of 120").count()).toBe(1);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Continue" }).waitFor();
  });
});

describe("a page that was just opened", () => {
  it("is not drawn a second time where nothing has changed since it was drawn", async () => {
    const { context, tab } = await browser.window();
    await context.clock.install();
    const asked: string[] = [];
    context.on("request", (request) => void asked.push(request.url()));
    const page = await tab(hall.url);
    await isAlive(page);

    await page.clock.runFor(1000);

    const again = asked.filter((url) => /_rsc=|api\/(health|sessions)/.test(url));
    expect(again).toEqual([]);
  });

  it("has what happened before its stream stood", async () => {
    const page = await browser.blank();
    await page.route("**/api/events", async (route) => {
      await hall.client.sessions.create({ name: "In between" });
      await route.continue();
    });

    await page.goto(hall.url);

    await expect.poll(() => page.getByRole("heading", { level: 3, name: "In between" }).count()).toBe(1);
  });
});

describe("a hall that goes away", () => {
  const comeBack = async (): Promise<void> => {
    hall = await startSharedHall({ home: hall.home, flags: ["--port", new URL(hall.url).port] });
  };

  it("is missed in words, and pages recover by themselves when it is back, with what came meanwhile", async () => {
    await hall.client.sessions.create({ name: "Before" });
    const look = {
      expects: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|Failed to fetch/,
    };
    const page = await openAlive(browser, hall.url, look);
    const roster = await openAlive(browser, `${hall.url}/roster`, look);

    await hall.close();
    for (const each of [page, roster]) await banner(each).waitFor();
    expect(await outOfOrder(page, "offline", { looks: lightDarkSmall })).toEqual([]);
    await putListingMember(hall.home, "newcomer", { displayName: "Newcomer", tools: [] });
    await comeBack();
    await hall.client.sessions.create({ name: "After" });

    for (const each of [page, roster]) await banner(each).waitFor({ state: "detached" });
    const cards = page.getByRole("region", { name: "Board" }).getByRole("heading", { level: 3 });
    await expect.poll(async () => (await cards.allInnerTexts()).slice(0, 2)).toEqual(["After", "Before"]);
    await memberRow(roster.getByRole("main"), "Newcomer").getByText("Connected").waitFor();
    await expect.poll(() => roster.getByRole("main").innerText()).toContain("1 of 1 connected");
  });

  it("is told of where that covers nothing, at 1440 px and at 390 px, and no longer as soon as anything is answered", async () => {
    const { id } = await hall.client.sessions.create({ name: "Interrupted" });
    const wide = await openWithStoppedClock(id, 1440);
    const narrow = await openWithStoppedClock(id, 390);

    await hall.close();
    for (const page of [wide, narrow]) {
      await banner(page).waitFor();
      // From here on no pause between two tries ends by itself.
      await page.clock.pauseAt(Date.now() + 60_000);
      await shoot(page, `offline-${page === wide ? 1440 : 390}`);
      const [said, main] = await Promise.all([page.locator("[data-live]").boundingBox(), page.getByRole("main").boundingBox()]);
      expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(main?.y ?? 0);
    }
    await comeBack();

    for (const page of [wide, narrow]) {
      await page.evaluate("fetch('/api/health').then((answer) => answer.json())");
      await banner(page).waitFor({ state: "detached" });
    }
  });
});

const banner = (page: Page) => page.getByText("The hall does not answer.", { exact: true });

async function openWithStoppedClock(id: string, width: 1440 | 390): Promise<Page> {
  const { context, tab } = await browser.window({ width, expects: /ERR_/ });
  await context.clock.install();
  const page = await tab(`${hall.url}/sessions/${id}`);
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
