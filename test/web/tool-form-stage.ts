import type { Page } from "playwright-core";
import type { Hall } from "../running-hall.ts";
import { goTo } from "./browser.ts";

/** Leads the page to the form of one tool, alive and with nothing filled in: one that is open already is left first. */
export async function openTool(page: Page, hall: Hall, tool: string): Promise<void> {
  const url = `${hall.url}/roster/${tool}`;
  if (page.url() === url) await goTo(page, `${hall.url}/roster`);
  await goTo(page, url);
  await page.getByRole("button", { name: "Run tool" }).waitFor();
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
