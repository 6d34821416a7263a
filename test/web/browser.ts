import axe from "axe-core";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { unpackChromium } from "./chromium.ts";
import { keepInSight, tellLastSight } from "./last-sight.ts";

export type Look = {
  theme?: "light" | "dark";
  width?: 1440 | 390;
  /** Troubles that are the point of the test. */ expects?: RegExp;
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

/** One Chromium for a test file. A console error, a page error or a failed request fails the test it happens in. Call it in `beforeAll`. */
export async function startBrowser(): Promise<TestBrowser> {
  const { executablePath, env } = await unpackChromium();
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox", "--disable-gpu"] });
  browsers.push(browser);

  const watched = (page: Page, { expects }: Look): Page => {
    watch(page, (trouble) => expects?.test(trouble) === true || troubles.push(trouble));
    keepInSight(page);
    return page;
  };
  const window = async (look: Look = {}): Promise<TestWindow> => {
    const context = await newContext(browser, look);
    if (look.lasts === undefined) open.push(context);
    const tab = async (url: string) => {
      const page = watched(await context.newPage(), look);
      await page.goto(url);
      return page;
    };
    return { context, tab };
  };
  const blank = async (look?: Look): Promise<Page> => (await window(look)).tab("about:blank");
  const openAt = async (url: string, look?: Look): Promise<Page> => {
    const page = await blank(look);
    await page.goto(url);
    return page;
  };
  return { window, blank, open: openAt };
}

/** Hooks count only where they are registered while the file is collected, which is when it imports this module. */
const browsers: Browser[] = [];
const open: BrowserContext[] = [];
const troubles: string[] = [];
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await tellLastSight();
  await Promise.all(open.splice(0).map((context) => context.close()));
  if (troubles.length > 0) throw new Error(`The browser had troubles:\n${troubles.splice(0).join("\n")}`);
});
afterAll(() => Promise.all(browsers.splice(0).map((browser) => browser.close())));

const sizes = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };

const newContext = (browser: Browser, { theme = "light", width = 1440 }: Look): Promise<BrowserContext> =>
  browser.newContext({
    viewport: sizes[width],
    colorScheme: theme,
    reducedMotion: "reduce",
    hasTouch: width === 390,
  });

function watch(page: Page, report: (trouble: string) => void): void {
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") report(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => report(`page error: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // A page that is left, or a stream that is no longer wanted, gives up its requests: that is no failure.
    if (reason !== "net::ERR_ABORTED") report(`request failed: ${request.url()} ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) report(`response ${response.status()}: ${response.url()}`);
  });
}

/** Waits until the page has come alive, a moment after it is drawn: it answers to keys and hears of changes. */
export const isAlive = (page: Page): Promise<void> => page.locator("[data-live=online]").waitFor({ state: "attached" });

/** A tab that has come alive and has read once more what may have changed meanwhile: nothing of it is under way any longer. */
export async function openSettled(browser: TestBrowser, url: string, look?: Look): Promise<Page> {
  const page = await browser.blank(look);
  const isDrawnAgain = page.waitForResponse((response) => response.url().includes("_rsc="));
  await page.goto(url);
  await Promise.all([isAlive(page), isDrawnAgain]);
  return page;
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

/** What axe finds wrong, as short lines. "colours" is all that another theme can change. */
export async function axeFindings(page: Page, what: "everything" | "colours" = "everything"): Promise<string[]> {
  // A page keeps it for as long as it is open: to hand it over costs as much as to use it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const runOnly = what === "colours" ? { type: "rule", values: ["color-contrast"] } : { type: "tag", values: axeTags };
  const look = () =>
    page.evaluate<string[]>(`axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], runOnly })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.target.join(" ") + " " + node.failureSummary).join(" | ")))`);
  const found = await look();
  if (!found.some((finding) => finding.startsWith("document-title"))) return found;
  // While Next draws a page again, its title may be away for a moment. Whether it has one is looked at when it is back.
  await expect.poll(() => page.title()).not.toBe("");
  return look();
}

const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Elements of the frame that are wider than they may be. */
export const wideElements = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('html, body, main, main > div, nav')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.tagName)",
  );

/** What a finger would miss: controls lower than 44 px. Links inside a sentence, and boxes inside their label, have no height of their own. */
export const lowTargets = (page: Page): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll("a, button, summary, label:has(input), textarea, select, input:not([type=checkbox])")]
    .filter((e) => e.checkVisibility() && e.closest("p, li p, article p, .sr-only") === null && !e.matches("label:not(:has(input))"))
    .map((e) => ({ name: e.tagName + " " + e.textContent.trim().slice(0, 40), height: e.getBoundingClientRect().height, top: e.getBoundingClientRect().bottom }))
    .filter(({ height, top }) => top > 0 && height > 1 && height < 43.5)
    .map(({ name, height }) => name + ": " + height)`);

const shots = join(import.meta.dirname, "shots");

/** A picture for people who look at pages, taken only where they ask for it: `SHOTS=yes npx vitest run test/web`. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env["SHOTS"] === undefined) return;
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
