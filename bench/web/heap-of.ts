import type { Page } from "playwright-core";

/** The bytes a page holds on to, once what nobody needs is gone. */
export async function heapOf(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devTools.send("Runtime.getHeapUsage");
  await devTools.detach();
  return usedSize;
}
