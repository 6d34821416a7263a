import type { Page } from "playwright-core";
import type { BenchRow } from "../bench-row.ts";
import { benchFirstWord } from "./bench-first-word.ts";
import { setWebStage } from "./web-stage.ts";

/** What a person sees of a session, in a real browser. */
export async function benchWeb(): Promise<BenchRow[]> {
  return [await benchFirstWord(), ...(await benchStream()), await benchHistory()];
}

const chunks = 20_000;
const paragraphs = 500;

async function benchStream(): Promise<BenchRow[]> {
  const text = Array.from(
    { length: paragraphs },
    (_, index) => `Paragraph ${index} with **marks**, ${"words that go on ".repeat(9)}and an end.`,
  );
  const joined = text.join("\n\n");
  const stage = await setWebStage(() => ({ text: joined, chunkSize: Math.ceil(joined.length / chunks) }));
  const page = await stage.open();
  const longest = await watchTasks(page);

  await stage.send(page, "Tell me all of it.");
  await page
    .getByRole("log")
    .getByText(`Paragraph ${paragraphs - 1} `)
    .waitFor({ timeout: 300_000 });
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached", timeout: 60_000 });
  const task = await longest();
  const heap = await heapOf(page);
  await stage.end();
  return [
    atMost("longest task while 20,000 pieces of text arrive", task, 200, "ms"),
    atMost("memory of the page after them", heap / 1e6, 100, "MB"),
  ];
}

async function benchHistory(): Promise<BenchRow> {
  const stage = await setWebStage(() => ({ text: "Done." }));
  const page = await stage.open(10_000);
  await page.getByRole("log").getByText("Message 9999.").waitFor();
  const longest = await watchTasks(page);

  await page.evaluate(`(async (log) => {
    for (let frame = 0; frame < 600; frame += 1) {
      log.scrollTop -= 150;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })(document.querySelector("[role=log]"))`);
  const task = await longest();
  await stage.end();
  return atMost("longest task while 10,000 messages are scrolled back", task, 200, "ms");
}

/** Answers how long the page was busy at a stretch at most, from now until it is asked. */
async function watchTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ entryTypes: ["longtask"] });`);
  return () => page.evaluate<number>("window.longest");
}

async function heapOf(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("HeapProfiler.collectGarbage");
  return (await devTools.send("Runtime.getHeapUsage")).usedSize;
}

const atMost = (name: string, value: number, budget: number, unit: string): BenchRow => ({
  name,
  ours: `${value.toFixed(0)} ${unit}`,
  baseline: "",
  ratio: null,
  budget: `≤ ${budget} ${unit}`,
  holds: value <= budget,
});
