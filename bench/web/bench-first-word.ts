import type { Page } from "playwright-core";
import { setBenchStage } from "../agent/bench-stage.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { setWebStage } from "./web-stage.ts";

const budgetMs = 50;

/** The first word goes out at once, the rest after everybody has seen it. */
const reply = () => ({ text: "First word and the rest.", chunkSize: 5, chunkDelayMs: 400 });

/**
 * How much later than the SDK the screen has the first word of an answer. Both are measured from the moment the model is
 * asked, in turn, because nobody but the SDK knows when it gave something to whom.
 */
export async function benchFirstWord(effort: Effort): Promise<BenchRow> {
  const [web, sdk] = [await setWebStage(reply), await setBenchStage(reply)];
  const page = await web.open();
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < effort.rounds(12); round += 1) {
    let given = 0;
    await sdk.bare((message) => {
      if (given === 0 && isText(message)) given = performance.now();
    });
    bare.push(given - sdk.lastAsked());
    const seen = onScreen(page, round);
    await web.send(page, `Question ${round}`);
    ours.push((await seen) - web.lastAsked());
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  }
  await Promise.all([web.end(), sdk.end()]);
  return measured({
    name: "from the model's question to the first word on the screen",
    ours: median(ours.slice(1)),
    unit: "ms",
    baseline: { value: median(bare.slice(1)), of: "to the bare SDK's first word" },
    budget: { more: budgetMs },
  });
}

const isText = (message: unknown): boolean => JSON.stringify(message).includes('"text_delta"');

/** When a frame with the first word of the next answer has been drawn. */
const onScreen = (page: Page, before: number): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const answers = () => [...document.querySelectorAll("[role=log] article")].filter((article) => article.textContent.includes("First"));
    const watch = new MutationObserver(() => {
      if (answers().length <= ${before}) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  })`);
