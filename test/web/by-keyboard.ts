import type { Locator, Page } from "playwright-core";

/** Presses Tab until the control has focus, as somebody does who has no mouse. */
export async function tabTo(control: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const page = control.page();
  const focused = control.and(page.locator(":focus"));
  for (let presses = 0; presses < 120; presses += 1) {
    if ((await focused.count()) === 1) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${control.toString()}.`);
}

/** Goes to a control with Tab and presses it. */
export async function pressOn(control: Locator): Promise<void> {
  await control.waitFor();
  await tabTo(control);
  await control.page().keyboard.press("Enter");
}

/** Goes to a field with Tab and writes into it, in the place of what was there. */
export async function writeInto(field: Locator, text: string): Promise<void> {
  await field.waitFor();
  await tabTo(field);
  await field.page().keyboard.press("Control+a");
  await field.page().keyboard.type(text);
}

/** Types a command into the palette and runs what stands first. */
export async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).waitFor();
  await page.keyboard.type(`>${words}`);
  await page.getByRole("option", { selected: true, name: new RegExp(words, "i") }).waitFor();
  await page.keyboard.press("Enter");
}
