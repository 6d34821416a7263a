import type { Page } from "playwright-core";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { benchFirstWord } from "./bench-first-word.ts";
import { heapOf } from "./heap-of.ts";
import { messageText, setWebStage } from "./web-stage.ts";

/** What a person sees of a session, in a real browser. */
export async function benchWeb(effort: Effort): Promise<BenchRow[]> {
  return [await benchFirstWord(effort), ...(await benchStream(effort)), await benchHistory(effort)];
}

async function benchStream(effort: Effort): Promise<BenchRow[]> {
  const [chunks, paragraphs] = [effort.size(20_000), effort.size(500)];
  const text = Array.from(
    { length: paragraphs },
    (_, index) => `Paragraph ${index} with **marks**, ${"words that go on ".repeat(9)}and an end.`,
  );
  const joined = text.join("\n\n");
  const stage = await setWebStage(() => ({ text: joined, chunkSize: Math.ceil(joined.length / chunks) }));
  const page = await stage.open();
  const longest = await watchFrames(page);

  await stage.send(page, "Tell me all of it.");
  await page
    .getByRole("log")
    .getByText(`Paragraph ${paragraphs - 1} `)
    .waitFor({ timeout: 300_000 });
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached", timeout: 60_000 });
  const standstill = await longest();
  const heap = await heapOf(page);
  await stage.end();
  const size = chunks.toLocaleString("en");
  return [
    measured({
      name: `longest time between two frames while ${size} pieces of text arrive`,
      ours: standstill,
      unit: "ms",
      budget: { most: 200 },
    }),
    measured({ name: "memory of the page after them", ours: heap / 1e6, unit: "MB", budget: { most: 100 } }),
  ];
}

async function benchHistory(effort: Effort): Promise<BenchRow> {
  const messages = effort.size(10_000);
  const stage = await setWebStage(() => ({ text: "Done." }));
  const page = await stage.open(messages);
  await page
    .getByRole("log")
    .getByText(`Message ${messages - 1}.`)
    .waitFor();
  const ours = await scrollBack(page);
  const articles = Array.from({ length: messages }, (_, index) => `<article>${messageText(index)}</article>`);
  await page.goto("about:blank");
  await page.setContent(`<div role="log" style="height: 800px; overflow: auto">${articles.join("")}</div>`);
  // Ours begins at its end by itself.
  await page.evaluate(`(log => { log.scrollTop = log.scrollHeight })(document.querySelector("[role=log]"))`);
  const theirs = await scrollBack(page);
  await stage.end();
  return measured({
    name: `longest time between two frames while ${messages.toLocaleString("en")} messages are scrolled back`,
    ours,
    unit: "ms",
    baseline: { value: theirs, of: "all of them as plain text" },
    budget: { most: 200 },
  });
}

/** Answers how long the page stood still at most meanwhile. */
async function scrollBack(page: Page): Promise<number> {
  const longest = await watchFrames(page);
  await page.evaluate(`(async (log) => {
    for (let frame = 0; frame < 600; frame += 1) {
      log.scrollTop -= 150;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })(document.querySelector("[role=log]"))`);
  return longest();
}

/** Answers how long the page stood still at most, from now until it is asked. */
async function watchFrames(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.longest = 0;
    (function wait(before) {
      requestAnimationFrame(() => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - before);
        wait(now);
      });
    })(performance.now())`);
  return () => page.evaluate<number>("window.longest");
}
