import { beforeAll, describe, expect, it } from "vitest";
import type { HallProcess } from "../running-hall.ts";
import { startSharedHall } from "../running-hall.ts";
import type { TestBrowser } from "./browser.ts";
import { isAlive, startBrowser } from "./browser.ts";

let browser: TestBrowser;
let hall: HallProcess;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  await hall.client.sessions.create({ name: "Invoice numbering" });
});

describe("layers above the page, by pointer", () => {
  it("close with a click beside them", async () => {
    const page = await browser.open(hall.url);
    await page
      .getByRole("button", { name: /New session/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.waitFor();

    await page.mouse.click(5, 5);

    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("give the keyboard back at once, although focus comes back a moment later", async () => {
    const page = await browser.open(hall.url);
    await isAlive(page);
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
  });

  it("a choice of the palette opens with a click", async () => {
    const page = await browser.open(hall.url);
    await page.getByRole("button", { name: /Search or run a command/ }).click();

    await page.getByRole("option", { name: /Invoice numbering/ }).click();

    await page.getByRole("heading", { level: 1, name: "Invoice numbering" }).waitFor();
    expect(page.url()).toContain("/sessions/");
  });
});
