import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { unpackChromium } from "./chromium.ts";
import { keepInSight, tellLastSight } from "./last-sight.ts";
import { contextOf, giveCookies, leaveSeats, sizes, takeSeat } from "./seats.ts";
import type { SeatLook } from "./seats.ts";
import { takeTroubles, watch } from "./troubles.ts";

export type Look = SeatLook & {
  /** Stays open for the tests that follow in the file, which costs them half a page less each. */ lasts?: true;
};

export type TestBrowser = {
  /** A window of its own: nothing is shared with other windows, and tabs in it share everything. */
  window(look?: Look): Promise<TestWindow>;
  /** One tab at an address, which knows nothing of other tabs or of what tests before did. */
  open(url: string, look?: Look): Promise<Page>;
  /** The same before it has gone anywhere. */
  blank(look?: Look): Promise<Page>;
};

export type TestWindow = { context: BrowserContext; tab(url: string): Promise<Page> };

/** A console error, a page error or a failed request fails the test it happens in. Call it in `beforeAll`. */
export async function startBrowser(): Promise<TestBrowser> {
  running ??= launch();
  const browser = await running;
  const window = async (look: Look = {}): Promise<TestWindow> => {
    const context = await browser.newContext(contextOf(look));
    await giveCookies(context, look);
    (look.lasts === undefined ? ofTest : ofFile).push(context);
    const tab = async (url: string) => {
      const page = await context.newPage();
      watch(page, (trouble) => look.expects?.test(trouble) === true);
      keepInSight(page);
      await page.goto(url);
      return page;
    };
    return { context, tab };
  };
  const blank = async (look: Look = {}): Promise<Page> =>
    look.lasts === undefined ? takeSeat(browser, look) : (await window(look)).tab("about:blank");
  const open = async (url: string, look?: Look): Promise<Page> => {
    const page = await blank(look);
    await page.goto(url);
    return page;
  };
  return { window, blank, open };
}

/** One for all test files of a process, which ends with it: to start one takes longer than most tests. */
let running: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  const { executablePath, env } = await unpackChromium();
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox", "--disable-gpu"] });
}

const ofTest: BrowserContext[] = [];
const ofFile: BrowserContext[] = [];

export async function leaveTest({ isBroken }: { isBroken: boolean }): Promise<void> {
  if (isBroken) await tellLastSight();
  await Promise.all([leaveSeats({ isBroken }), ...ofTest.splice(0).map((context) => context.close())]);
  const troubles = takeTroubles();
  if (troubles.length > 0) throw new Error(`The browser had troubles:\n${troubles.join("\n")}`);
}

export const leaveFile = (): Promise<unknown> => Promise.all(ofFile.splice(0).map((context) => context.close()));

/** Waits until the page has come alive, a moment after it is drawn: it answers to keys and hears of changes. */
export const isAlive = (page: Page): Promise<void> => page.locator("[data-live=online]").waitFor({ state: "attached" });

export async function openAlive(browser: TestBrowser, url: string, look?: Look): Promise<Page> {
  const page = await browser.open(url, look);
  await isAlive(page);
  return page;
}

/** Leads a page elsewhere in its hall as a link would, which costs a quarter of opening it. One that is there already, or nowhere, is opened. */
export async function goTo(page: Page, url: string): Promise<void> {
  const [here, there] = [new URL(page.url()), new URL(url)];
  const isOpen = here.origin === there.origin && here.href !== there.href && (await page.locator("[data-live]").count()) > 0;
  if (!isOpen) {
    await page.goto(url);
    return isAlive(page);
  }
  // What the server drew has no router yet.
  await isAlive(page);
  await page.evaluate(`next.router.push(${JSON.stringify(there.pathname + there.search)})`);
  await page.waitForURL(url);
  // A page listens to its own keys a moment after it is drawn.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
}

/** Headless Chromium takes every tab to be in sight; a page learns otherwise the way it always does. */
export const setVisibility = (page: Page, state: "hidden" | "visible"): Promise<unknown> =>
  page.evaluate(
    `Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
  );

/** The same page in another look: what differs is only what it is drawn with. */
export async function setLook(page: Page, { theme = "light", width = 1440 }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize(sizes[width]);
}

const shots = join(import.meta.dirname, "shots");

/** A picture for people who look at pages, taken only where they ask for it: `SHOTS=yes npx vitest run test/web`. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env["SHOTS"] === undefined) return;
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
