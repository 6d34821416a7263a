import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { isAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { areConnected } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "researcher", waiting: false })]);
  await areConnected(hall, "researcher");
});

describe("a job of the bundled researcher", () => {
  it("is dispatched, followed and read on its page (REQ-WD-40, REQ-WD-41)", async () => {
    const page = await browser.open(`${hall.url}/jobs`);
    await isAlive(page);
    await page
      .getByRole("button", { name: /New job/ })
      .first()
      .click();
    await page.getByRole("textbox", { name: "Task", exact: true }).fill("Which queue fits us best?");
    await page.keyboard.press("Control+Enter");

    await page.getByRole("heading", { level: 1, name: "Which queue fits us best" }).waitFor();
    await page.getByRole("main").getByText("Completed", { exact: true }).first().waitFor({ timeout: 60_000 });
    // Whoever reads the timeline goes on reading it when the job ends.
    await page.getByRole("tabpanel", { name: /Timeline/ }).waitFor();
    await page.getByRole("tab", { name: "Result" }).click();
    const result = page.getByRole("tabpanel", { name: "Result" });
    await result.getByRole("heading", { name: "Result" }).waitFor();

    expect(await result.innerText()).toMatch(/scripted/i);
    await page.getByRole("tab", { name: "Transcript" }).click();
    await page.getByRole("tabpanel").locator("summary", { hasText: "update_summary" }).first().waitFor();
    await page.getByRole("tab", { name: /Timeline/ }).click();
    await page.getByRole("tabpanel").getByText("Progress:").first().waitFor();
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /steps\.md/ })
      .click();
    await page.getByRole("dialog", { name: "steps.md" }).getByRole("group", { name: "How to show it" }).waitFor();
  });
});
