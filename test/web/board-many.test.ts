import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { firstPage } from "../../src/web/live/board-query.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, openAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { holdAnswers } from "./held-answers.ts";
import { minutesAgo, storeSessions } from "./stored-sessions.ts";
import type { StoredSession } from "./stored-sessions.ts";

let browser: TestBrowser;
let hall: Hall;
/** The wide one, led from test to test. */
let page: Page;

const count = 2000;
const nameOf = (at: number): string => `Session ${String(at).padStart(4, "0")}`;
const stored = Array.from({ length: count }, (_, at): StoredSession => ({
  name: nameOf(at),
  lastActivityAt: minutesAgo(at + 1),
  status: at % 4 === 0 ? "completed" : "idle",
  preview: `What was said last in session ${at}, which is a line of ordinary length.`,
  members: ["files", "git"],
  ...(at === 1777 ? { says: ["Somewhere in here is a zinnober."] } : {}),
}));

beforeAll(async () => {
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: false, waiting: false, prepare: (home) => storeSessions(home, stored) }),
  ]);
  await vi.waitUntil(async () => (await hall.client.sessions.list({ limit: 1 })).counts !== null, { timeout: 60_000 });
  page = await browser.open(`${hall.url}/settings`, { lasts: true });
}, 120_000);

describe("a Board with 2,000 sessions", () => {
  it("draws only what is in sight, reads on while somebody scrolls, and comes to the last of them", async () => {
    await openBoard();
    const tasks = await watchLongTasks(page);

    await scrollUntil(page, nameOf(count - 1), { step: 9000 });

    expect(await cards(page).count()).toBeLessThan(100);
    expect(await page.getByText("2000 sessions.").count()).toBe(1);
    // A figure for whoever reads the log: on a busy machine it says more about the machine.
    console.log(`longest task while scrolling through ${count} sessions: ${Math.round(await tasks())} ms`);
  });

  it("reads on however fast pages come and somebody scrolls", async () => {
    const own = await openAlive(browser, hall.url);

    await own.evaluate(scrollOverPagesThatAreThere);

    await expect.poll(() => own.getByRole("heading", { level: 3, name: nameOf(count - 1), exact: true }).count()).toBe(1);
  });

  it("reads on where the end came in sight before it was told that it was not", async () => {
    const own = await openAlive(browser, hall.url);
    await own.evaluate(tellLate);

    await own.evaluate("document.querySelector('main').scrollTop = 1e6");

    await expect.poll(() => own.getByRole("button", { name: "Show more sessions" }).count()).toBe(0);
  });

  it("asks a hall that is away once, and reads on when asked to", async () => {
    const own = await openAlive(browser, hall.url);
    await own.evaluate(refuseWhatIsBehind);

    // Again and again: a page that was asked for before may come meanwhile, and its end is farther down.
    await expect.poll(() => own.evaluate("document.querySelector('main').scrollTop = 1e6, refused")).toBe(1);
    await own.evaluate(drawThirtyTimes);
    expect(await own.evaluate("refused")).toBe(1);
    const height = () => own.evaluate<number>("document.querySelector('main').scrollHeight");
    const before = await height();
    await own.evaluate("refusing = false");
    await own.getByRole("button", { name: "Show more sessions" }).click();

    await expect.poll(height).toBeGreaterThan(before);
  });

  it("finds one of them by what was said in it", async () => {
    await openBoard();
    const tasks = await watchLongTasks(page);

    await page.getByRole("searchbox").fill("zinnober");
    await page.getByText("1 session found").waitFor();

    expect(await cards(page).getByRole("heading").allInnerTexts()).toEqual([nameOf(1777)]);
    console.log(`longest task while searching ${count} sessions: ${Math.round(await tasks())} ms`);
  });

  it("does not move what is being read when something happens at its top, and shows it when asked", async () => {
    await openBoard();
    await scrollUntil(page, nameOf(200));
    const place = () => page.getByRole("heading", { name: nameOf(200) }).boundingBox();
    const before = await place();

    await hall.client.sessions.create({ name: "Just now" });
    const button = page.getByRole("button", { name: "Something is new above. Show it" });
    await button.waitFor();

    expect(await place()).toEqual(before);
    await button.click();
    await page.getByRole("heading", { level: 3, name: "Just now" }).waitFor();
  });

  it("is where it was left on the way back from a session and after a reload, and at its top for whoever comes anew", async () => {
    await openBoard();
    await scrollUntil(page, nameOf(400));
    const before = await placeOf(page, nameOf(400));

    await page.getByRole("heading", { level: 3, name: nameOf(400), exact: true }).click();
    await page.getByRole("heading", { level: 1, name: nameOf(400) }).waitFor();
    await page.goBack();
    await expect.poll(() => placeOf(page, nameOf(400))).toEqual(before);
    await page.reload();
    await expect.poll(() => placeOf(page, nameOf(400))).toEqual(before);
    const rail = page.getByRole("navigation", { name: "Main", exact: true });
    await rail.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await rail.getByRole("link", { name: "Hall", exact: true }).click();
    await page.getByRole("searchbox").waitFor();

    expect(await page.evaluate<number>("document.querySelector('main').scrollTop")).toBe(0);
  });

  it("reads on at the press of a button where the Roster stands below", async () => {
    const small = await openSmallBoard();
    await small.getByRole("button", { name: "Show more sessions" }).click();

    // Where they come, not at the end of them.
    await small.getByRole("heading", { level: 3, name: nameOf(firstPage) }).waitFor();
    await expect.poll(() => small.evaluate<number>("document.querySelector('main').scrollHeight")).toBeGreaterThan(200 * 150);
    expect(await small.getByRole("heading", { name: "Roster" }).count()).toBe(1);
  });

  it("keeps what was read at a press while it is read again for news that began before", async () => {
    const small = await openSmallBoard();
    const { sessions } = await hall.client.sessions.list({ limit: firstPage });
    await small.evaluate(holdAnswers);

    // So much that the whole list is read again, as after a time without a connection.
    await Promise.all(sessions.slice(-30).map(({ id, name }) => hall.client.sessions.change(id, { name: `${name}, renamed` })));
    await expect.poll(() => small.evaluate("held.length")).toBe(1);
    await small.getByRole("button", { name: "Show more sessions" }).click();
    // The later one comes first, and whoever asks from here on is answered at once.
    await small.evaluate("held.toReversed().forEach((giveOut) => giveOut()); held.push = (giveOut) => giveOut()");
    await small.getByRole("heading", { level: 3, name: "renamed" }).first().waitFor();

    await expect.poll(() => small.evaluate<number>("document.querySelector('main').scrollHeight")).toBeGreaterThan(200 * 150);
  });
});

/** It comes from elsewhere, and so at its top. */
async function openBoard(): Promise<void> {
  if (new URL(page.url()).pathname === "/") await goTo(page, `${hall.url}/settings`);
  await goTo(page, hall.url);
}

const openSmallBoard = (): Promise<Page> => openAlive(browser, hall.url, { width: 390 });

const cards = (page: Page) => page.getByRole("region", { name: "Board" }).getByRole("listitem");

/** Null where it is not drawn. */
async function placeOf(page: Page, name: string): Promise<{ x: number; y: number } | null> {
  const card = page.getByRole("heading", { level: 3, name, exact: true });
  return (await card.count()) === 0 ? null : card.boundingBox();
}

/** As a wheel does: a screen at a time, or as far as a hand throws it, until the card is drawn, and back where a slow page let it pass. */
async function scrollUntil(page: Page, name: string, { step } = { step: 1500 }): Promise<void> {
  await page.mouse.move(400, 600);
  const card = page.getByRole("heading", { level: 3, name, exact: true });
  await expect
    .poll(
      async () => {
        const drawn = await cards(page).getByRole("heading", { level: 3 }).allInnerTexts();
        // One that the wheel, still turning, carries out of sight is not drawn any more.
        if (drawn.includes(name)) {
          return card.scrollIntoViewIfNeeded({ timeout: 2000 }).then(
            () => true,
            () => false,
          );
        }
        await page.mouse.wheel(0, (drawn[0] ?? "") > name ? -700 : step);
        return false;
      },
      { timeout: 50_000, interval: 20 },
    )
    .toBe(true);
}

/** Each page is there before it is drawn that it is waited for, and its end is in sight before it is drawn that it was not. */
const scrollOverPagesThatAreThere = `(async () => {
  const pages = new Map();
  const read = async (query) => (await fetch("/api/sessions?" + new URLSearchParams(query))).json();
  for (let { nextCursor: cursor } = await read({ limit: ${firstPage} }); cursor !== null; cursor = pages.get(cursor).nextCursor)
    pages.set(cursor, await read({ limit: 200, cursor }));
  const ask = window.fetch;
  window.fetch = (request, ...more) => {
    const page = pages.get(new URL(request.url ?? request, location).searchParams.get("cursor"));
    return page === undefined ? ask(request, ...more) : Promise.resolve({ ok: true, json: () => Promise.resolve(page) });
  };
  const main = document.querySelector("main");
  (function follow() {
    main.scrollTop = main.scrollHeight;
    requestAnimationFrame(follow);
  })();
})()`;

/** As on a busy machine: that the end is out of sight is told together with that it came in sight, to where the page is scrolled meanwhile. */
const tellLate = `{
  const Observer = window.IntersectionObserver;
  window.IntersectionObserver = class extends Observer {
    constructor(tell, options) {
      const untold = [];
      super((entries, observer) => {
        untold.push(...entries);
        if (untold.at(-1).isIntersecting) tell(untold.splice(0), observer);
        else if (options?.root?.tagName === "MAIN") options.root.scrollTop = options.root.scrollHeight;
      }, options);
    }
  };
}`;

/** The next pages do not come, as where nobody listens any more. */
const refuseWhatIsBehind = `{
  window.refused = 0;
  window.refusing = true;
  const ask = window.fetch;
  window.fetch = async (request, ...more) => {
    if (!refusing || !new URL(request.url ?? request, location).searchParams.has("cursor")) return ask(request, ...more);
    await new Promise((resolve) => setTimeout(resolve, 20));
    refused += 1;
    throw new TypeError("Failed to fetch");
  };
}`;

/** It is observed anew whenever it was drawn as busy, so thirty times are plenty to ask again. */
const drawThirtyTimes = `new Promise((resolve) => {
  let left = 30;
  requestAnimationFrame(function next() {
    left -= 1;
    if (left === 0) resolve();
    else requestAnimationFrame(next);
  });
})`;

/** Answers how long the longest task was since the call. */
async function watchLongTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`{
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
  }`);
  return () => page.evaluate<number>("Math.max(0, ...window.longTasks)");
}
