import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** "colours" is all that another theme can change, "shape" all that another width can. */
export type Findable = "everything" | "colours" | "shape";

/** What axe finds wrong, as short lines. Where a dialog is open it looks at that alone: what lies below it has been looked at without it. */
export async function axeFindings(page: Page, what: Findable = "everything"): Promise<string[]> {
  // A page keeps it for as long as it is open: to hand it over costs as much as to use it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${axe.source}; ${decidesContrast}`);
  // Where it is takes a third as long again to say: that is asked where something was found.
  const found = await look(page, what, { selectors: false });
  if (found.length === 0) return [];
  // While Next draws a page again, its title may be away for a moment. Whether it has one is looked at when it is back.
  if (found.every(isOfTitle)) await expect.poll(() => page.title()).not.toBe("");
  const withPlaces = await look(page, what, { selectors: true });
  // What was there for a moment only was there.
  return withPlaces.length > 0 ? withPlaces : found.filter((finding) => !isOfTitle(finding));
}

const isOfTitle = (finding: string): boolean => finding.startsWith("document-title");

function look(page: Page, what: Findable, { selectors }: { selectors: boolean }): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ["violations"], selectors, ...rules[what] });
  return page.evaluate<string[]>(`axe.run(document.querySelector("dialog[open]") ?? document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.target + " " + node.failureSummary).join(" | ")))`);
}

/** By itself it looks for drawings before and after each text, and leaves open whether that text can be read. */
const decidesContrast = `axe._audit.checks["color-contrast"].options.ignorePseudo = true`;

const all = { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } };

const rules: Record<Findable, object> = {
  everything: all,
  colours: { runOnly: { type: "rule", values: ["color-contrast"] } },
  shape: { ...all, rules: { "color-contrast": { enabled: false } } },
};

/** Elements of the frame that are wider than they may be. */
export const wideElements = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('html, body, main, main > div, nav')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.tagName)",
  );

/** What a finger would miss: controls lower than 44 px. Links inside a sentence, and boxes inside their label, have no height of their own. */
export const lowTargets = (page: Page): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll("a, button, summary, label:has(input), textarea, select, input:not([type=checkbox])")]
    .filter((e) => e.checkVisibility() && e.closest("p, li p, article p, .sr-only") === null && !e.matches("label:not(:has(input))"))
    .map((e) => ({ name: e.tagName + " " + e.textContent.trim().slice(0, 40), height: e.getBoundingClientRect().height, top: e.getBoundingClientRect().bottom }))
    .filter(({ height, top }) => top > 0 && height > 1 && height < 43.5)
    .map(({ name, height }) => name + ": " + height)`);
