import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, startBrowser } from "./browser.ts";
import { holdOnce } from "./held-answers.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";

let hall: Hall;
let page: Page;

beforeAll(async () => {
  const [browser, shared] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  hall = shared;
  await hall.client.sessions.create({ name: "Invoice numbering" });
  page = await browser.open(hall.url, { lasts: true });
});

const paper = { light: "rgb(245, 244, 239)", dark: "rgb(21, 19, 16)" };
const background = "getComputedStyle(document.documentElement).backgroundColor";

describe("light and dark", () => {
  it("follow the system until somebody chooses; a choice holds from the first byte of the next page, so that nothing flashes, and can be left to the system again", async () => {
    expect(await page.evaluate(background)).toBe(paper.light);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.reload();
    expect(await page.evaluate(background)).toBe(paper.dark);
    await page.emulateMedia({ colorScheme: "light" });
    await isAlive(page);

    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await expect.poll(() => page.evaluate(background)).toBe(paper.dark);
    const html = await (await page.context().request.get(hall.url)).text();
    expect(html).toMatch(/^<!DOCTYPE html><html[^>]* data-theme="dark"/);

    await goTo(page, `${hall.url}/settings`);
    await page.getByRole("button", { name: "Light", exact: true }).click();
    await expect.poll(() => page.evaluate(background)).toBe(paper.light);
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await expect.poll(() => page.evaluate(background)).toBe(paper.dark);
    await page.getByRole("button", { name: "As the system" }).click();
    await page.reload();
    expect(await page.evaluate(background)).toBe(paper.light);
  });

  it("motion stops for those who asked for less of it", async () => {
    await goTo(page, `${hall.url}/gallery`);
    await page.getByRole("heading", { name: "Colour" }).waitFor();

    const moving = await page.evaluate<number>("document.getAnimations().filter((animation) => animation.playState === 'running').length");

    expect(moving).toBe(0);
  });
});

describe("layers above the page, by pointer", () => {
  it("close with a click beside them, which takes away nothing that was written", async () => {
    await goTo(page, hall.url);
    await page
      .getByRole("button", { name: /New session/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "New session" });
    const context = dialog.getByRole("textbox", { name: /Starting context/ });
    await context.fill("Written at length.");

    await page.mouse.click(5, 5);

    await page.locator("#new-session").waitFor({ state: "detached" });
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("n");
    expect(await context.inputValue()).toBe("Written at length.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.locator("#new-session").waitFor({ state: "detached" });
    await page.keyboard.press("n");
    expect(await context.inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.locator("#new-session").waitFor({ state: "detached" });
  });

  it("that are left before the hall has answered are told of where the person is by then", async () => {
    await goTo(page, `${hall.url}/settings`);
    const dialog = page.getByRole("dialog", { name: "New session" });
    const context = dialog.getByRole("textbox", { name: /Starting context/ });
    await page.keyboard.press("n");
    await context.fill("Written at length.");

    const failing = await holdOnce(page, "**/api/sessions", (route) => route.abort("aborted"));
    await page.keyboard.press("Control+Enter");
    await failing.isAsked;
    await page.keyboard.press("Escape");
    await page.locator("#new-session").waitFor({ state: "detached" });
    failing.letGo();
    await page.getByRole("status").getByText("New session: The hall does not answer.").waitFor();
    await page.keyboard.press("n");
    expect(await context.inputValue()).toBe("Written at length.");
    expect(await dialog.getByRole("alert").count()).toBe(0);

    const starting = await holdOnce(page, "**/api/sessions", (route) => route.continue());
    await context.press("Control+Enter");
    await starting.isAsked;
    await page.keyboard.press("Escape");
    await page.locator("#new-session").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    starting.letGo();
    await page.getByText("New session is started.").waitFor();
    const keys = page.getByRole("dialog", { name: "Keys" });
    expect(await keys.isVisible()).toBe(true);
    expect(page.url()).toBe(`${hall.url}/settings`);
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "hidden" });
    await page.keyboard.press("n");
    expect(await context.inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.locator("#new-session").waitFor({ state: "detached" });
  });

  it("give the keyboard back at once, although focus comes back a moment later", async () => {
    await goTo(page, `${hall.url}/settings`);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();

    await page.evaluate(`{
      const field = document.activeElement;
      document.querySelector("dialog[open]").close();
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
    }`);
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.waitFor();

    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });

  it("a choice of the palette opens with a click", async () => {
    await goTo(page, hall.url);
    await page.getByRole("button", { name: /Search or run a command/ }).click();

    await page.getByRole("option", { name: /Invoice numbering/ }).click();

    await page.getByRole("heading", { level: 1, name: "Invoice numbering" }).waitFor();
    expect(page.url()).toContain("/sessions/");
  });
});

describe("a hall without members", () => {
  it("says on the pages of members and jobs what there is to do about it, in every look", async () => {
    await goTo(page, `${hall.url}/roster`);
    await page.getByRole("main").getByRole("heading", { name: "No members yet" }).waitFor();

    expect(await outOfOrder(page, "roster-empty", { looks: lightDarkSmall })).toEqual([]);
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.getByRole("main").getByRole("heading", { name: "No member takes jobs" }).waitFor();
    expect(await outOfOrder(page, "jobs-empty", { looks: lightDarkSmall })).toEqual([]);
  });
});
