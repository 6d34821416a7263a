import type { Page } from "playwright-core";
import { axeFindings, lowTargets, setLook, shoot, wideElements } from "./browser.ts";

type WornLook = { theme: "light" | "dark"; width: 1440 | 390 };

/** Every other one differs from these in nothing that can be out of order: colours are the same at every width. */
export const lightDarkSmall: readonly WornLook[] = [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 1440 },
  { theme: "light", width: 390 },
];

/** As well as those, for pages that draw something on a small screen which they have on no other. */
export const everyLook: readonly WornLook[] = [...lightDarkSmall, { theme: "dark", width: 390 }];

/**
 * What is out of order on a page in any look, each finding with the look it was found in. The page keeps the last one.
 * Where it is said how to know that the page is there, it is loaded anew for that one: small and dark from its beginning.
 */
export async function outOfOrderInAnyLook(page: Page, name: string, isThere?: (page: Page) => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  for (const look of everyLook) {
    if (look === everyLook.at(-1) && isThere !== undefined) {
      await setLook(page, look);
      await page.reload();
      await isThere(page);
    }
    for (const finding of await outOfOrder(page, name, look)) found.push(`${look.theme}, ${look.width} px: ${finding}`);
  }
  return found;
}

/** What axe finds on a page in this look, what is too wide, and on a small screen what a finger would miss. A picture of it is kept. */
export async function outOfOrder(page: Page, name: string, look: WornLook): Promise<string[]> {
  await setLook(page, look);
  await shoot(page, `${name}-${look.width}-${look.theme}`);
  const found = [...(await axeFindings(page, look.theme === "dark" ? "colours" : "everything")), ...(await wideElements(page))];
  return look.width === 390 ? [...found, ...(await lowTargets(page))] : found;
}
