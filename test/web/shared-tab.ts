import type { BrowserContext, CDPSession, Page } from "playwright-core";

export type SharedTab = {
  /** The tab, or null where it is in use already. */
  take(): Promise<Page | null>;
  /** Makes it as new: nothing is open in it, nobody listens to it, and what it kept is forgotten. */
  giveBack(): Promise<void>;
};

/** A tab that the tests of a file use in turn. A page in it costs half of what it costs in a window that is new. */
export function createSharedTab(newContext: () => Promise<BrowserContext>): SharedTab {
  let tab: { context: BrowserContext; page: Page; devices: CDPSession } | null = null;
  let isTaken = false;
  return {
    async take() {
      if (isTaken) return null;
      isTaken = true;
      tab ??= await openTab(await newContext());
      return tab.page;
    },
    async giveBack() {
      if (!isTaken || tab === null) return;
      const { context, page, devices } = tab;
      isTaken = false;
      if (page.isClosed()) {
        tab = null;
        return context.close();
      }
      const { origin } = new URL(page.url());
      page.removeAllListeners();
      await page.unrouteAll({ behavior: "ignoreErrors" });
      // A page with something unsaved asks before it is left.
      page.once("dialog", (asked) => void asked.accept());
      await page.goto("about:blank");
      page.removeAllListeners();
      await context.clearCookies();
      if (origin !== "null") await devices.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    },
  };
}

async function openTab(context: BrowserContext) {
  const page = await context.newPage();
  return { context, page, devices: await context.newCDPSession(page) };
}
