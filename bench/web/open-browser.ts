import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { unpackChromium } from "../../test/web/chromium.ts";

export const windowSize = { viewport: { width: 1440, height: 900 } };

/** The browser of the tests, as a person would have it in front of them. */
export async function openBrowser(): Promise<Browser> {
  const { executablePath, env } = await unpackChromium();
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ["--no-sandbox", "--disable-gpu"] });
}
