import type { Page } from "playwright-core";
import { setLook, shoot } from "./browser.ts";
import { axeFindings, lowTargets, wideElements } from "./findings.ts";
import type { Findable } from "./findings.ts";

type WornLook = { theme: "light" | "dark"; width: 1440 | 390; finds: Findable };

/** In the other theme only colours differ. */
const themes: readonly WornLook[] = [
  { theme: "light", width: 1440, finds: "everything" },
  { theme: "dark", width: 1440, finds: "colours" },
];

/** On a small screen colours are the same. */
export const onlySmall: readonly WornLook[] = [{ theme: "light", width: 390, finds: "shape" }];

export const lightDarkSmall: readonly WornLook[] = [...themes, ...onlySmall];

/** For pages that draw something on a small screen which they have on no other. */
export const everyLook: readonly WornLook[] = [
  ...themes,
  { theme: "light", width: 390, finds: "everything" },
  { theme: "dark", width: 390, finds: "colours" },
];

type Looking = {
  looks?: readonly WornLook[];
  /** What else it takes to see the same where there is one column. */ onSmall?: (page: Page) => Promise<unknown>;
};

/**
 * What axe finds on a page in each look, what is too wide there, and on a small screen what a finger would miss. Pictures
 * are taken for whoever wants them. Afterwards the page is light and wide, as it was.
 */
export async function outOfOrder(page: Page, name: string, { looks = themes, onSmall }: Looking = {}): Promise<string[]> {
  const found: string[] = [];
  const [firstSmall] = looks.filter(({ width }) => width === 390);
  for (const look of looks) {
    const { theme, width, finds } = look;
    await setLook(page, look);
    if (look === firstSmall) await onSmall?.(page);
    await shoot(page, `${name}-${width}-${theme}`);
    const here = [...(await axeFindings(page, finds)), ...(await wideElements(page)), ...(width === 390 ? await lowTargets(page) : [])];
    found.push(...here.map((finding) => `${theme}, ${width} px: ${finding}`));
  }
  await setLook(page, {});
  return found;
}
