import { beforeAll, describe, expect, it } from "vitest";
import type { HallProcess } from "../running-hall.ts";
import { startSharedHall } from "../running-hall.ts";
import type { TestBrowser } from "./browser.ts";
import { startBrowser } from "./browser.ts";

let browser: TestBrowser;
let hall: HallProcess;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall()]);
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

  it("a choice of the palette opens with a click", async () => {
    const page = await browser.open(hall.url);
    await page.getByRole("button", { name: /Search or run a command/ }).click();

    await page.getByRole("option", { name: /Invoice numbering/ }).click();

    await page.getByRole("heading", { level: 1, name: "Invoice numbering" }).waitFor();
    expect(page.url()).toContain("/sessions/");
  });
});
