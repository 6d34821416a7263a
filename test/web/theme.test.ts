import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { isAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";

let browser: TestBrowser;
let hall: HallProcess;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
});

const paper = { light: "rgb(245, 244, 239)", dark: "rgb(21, 19, 16)" };
const background = "getComputedStyle(document.documentElement).backgroundColor";

describe("light and dark", () => {
  it("follow the system until somebody chooses", async () => {
    const light = await browser.open(hall.url, { theme: "light" });
    const dark = await browser.open(hall.url, { theme: "dark" });

    expect(await light.evaluate(background)).toBe(paper.light);
    expect(await dark.evaluate(background)).toBe(paper.dark);
  });

  it("a choice holds from the first byte of the next page, so that nothing flashes", async () => {
    const { context, tab } = await browser.window({ theme: "light" });
    const page = await tab(hall.url);
    await isAlive(page);

    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await expect.poll(() => page.evaluate(background)).toBe(paper.dark);
    const html = await (await context.request.get(hall.url)).text();

    expect(html).toMatch(/^<!DOCTYPE html><html[^>]* data-theme="dark"/);
  });

  it("can be left to the system again in the settings", async () => {
    const page = await browser.open(`${hall.url}/settings`, { theme: "light" });
    await isAlive(page);

    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await expect.poll(() => page.evaluate(background)).toBe(paper.dark);
    await page.getByRole("button", { name: "As the system" }).click();
    await page.reload();

    expect(await page.evaluate(background)).toBe(paper.light);
  });

  it("motion stops for those who asked for less of it", async () => {
    const page = await browser.open(`${hall.url}/gallery`);

    const moving = await page.evaluate<number>("document.getAnimations().filter((animation) => animation.playState === 'running').length");

    expect(moving).toBe(0);
  });
});
