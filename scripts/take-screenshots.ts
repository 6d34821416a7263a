import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Page } from "playwright-core";
import { unpackChromium } from "../test/web/chromium.ts";
import { buildWeb } from "./build-web.ts";
import { shrinkPng } from "./screenshots/small-png.ts";
import { startUsedHall } from "./screenshots/used-hall.ts";
import type { UsedHall } from "./screenshots/used-hall.ts";

const images = join(import.meta.dirname, "../docs/images");

/** What is photographed, and what must be seen before. */
const pictures: readonly { name: string; path: (hall: UsedHall) => string; until: (page: Page) => Promise<unknown> }[] = [
  { name: "hall", path: () => "/", until: (page) => page.getByText("2 of 2 connected").waitFor() },
  { name: "session", path: ({ session }) => `/sessions/${session}`, until: (page) => page.getByText("I would take").waitFor() },
  { name: "tool", path: () => "/roster/example/draw_chart", until: drawChart },
  {
    name: "job",
    path: ({ jobs }) => `/jobs/researcher/${jobs.running}`,
    until: (page) => page.getByText("Comparing last year's").first().waitFor(),
  },
  { name: "result", path: ({ jobs }) => `/jobs/researcher/${jobs.done}`, until: (page) => page.getByText("About 1,800 a year").waitFor() },
];

/** Starts a hall of its own, has it used a little, and photographs it in both themes for the README. */
async function takeScreenshots(): Promise<void> {
  await buildWeb({ ifStale: true });
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-images-"));
  const hall = await startUsedHall(folder);
  try {
    await photograph(hall);
  } finally {
    await hall.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function photograph(hall: UsedHall): Promise<void> {
  await mkdir(images, { recursive: true });
  const { executablePath, env } = await unpackChromium();
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox", "--disable-gpu"] });
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 720 },
      deviceScaleFactor: 1.5,
      colorScheme,
      reducedMotion: "reduce",
    });
    for (const { name, path, until } of pictures) {
      await page.goto(hall.url + path(hall));
      await page.locator("[data-live=online]").waitFor({ state: "attached" });
      await until(page);
      await page.evaluate("document.fonts.ready.then(() => true)");
      await writeFile(join(images, `${name}-${colorScheme}.png`), shrinkPng(await page.screenshot()));
    }
    await page.close();
  }
  await browser.close();
}

/** By hand, as a person does it. */
async function drawChart(page: Page): Promise<void> {
  await page.getByRole("group", { name: "Input as" }).getByRole("button", { name: "JSON" }).click();
  await page.getByRole("textbox", { name: "Input as JSON" }).fill(JSON.stringify({ values: [2.9, 3.6, 3.4, 3.1, 2.7], width: 480 }));
  await page.getByRole("group", { name: "Input as" }).getByRole("button", { name: "Form" }).click();
  await page.keyboard.press("Control+Enter");
  await page.getByText("5 bars, from 2.7 to 3.6.").first().waitFor();
}

await takeScreenshots();
