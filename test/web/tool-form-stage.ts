import type { Page } from "playwright-core";
import type { Hall } from "../running-hall.ts";
import { isAlive } from "./browser.ts";
import type { Look, TestBrowser } from "./browser.ts";

/** The page of one tool, alive. */
export async function openTool(browser: TestBrowser, hall: Hall, tool: string, look: Look = {}): Promise<Page> {
  const page = await browser.open(`${hall.url}/roster/${tool}`, look);
  await isAlive(page);
  await page.getByRole("button", { name: "Run tool" }).waitFor();
  return page;
}

/** Runs what stands there and waits for an answer, good or bad. */
export async function run(page: Page): Promise<void> {
  await page.keyboard.press("Control+Enter");
  await result(page)
    .getByText(/bytes|kB|MB/)
    .first()
    .waitFor();
}

export const result = (page: Page) => page.getByRole("region", { name: "Result", exact: true });

/** Fills in the whole input at once, as JSON, and stays there. */
export async function fillJson(page: Page, input: unknown): Promise<void> {
  await page.getByRole("group", { name: "Input as" }).getByRole("button", { name: "JSON" }).click();
  await page.getByRole("textbox", { name: "Input as JSON" }).fill(JSON.stringify(input));
}
