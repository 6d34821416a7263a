import { descendantsOf, processorSeconds, residentMebibytes } from "../process-usage.ts";
import { heapOf } from "../web/heap-of.ts";
import type { IdleStage } from "./idle-stage.ts";

/** Whose usage is told: the hall itself, all it started, the browser with its pages, and a bare server to compare with. */
export type Kind = "hall" | "members" | "pages" | "bare";

export type UsageSample = {
  at: number;
  memory: Record<Kind, number>;
  /** Seconds of a processor, since the process began. */
  seconds: Record<Kind, number>;
  /** Of those of the pages: what looking at them cost, from now to the next sample. */
  spentOnLooking: number;
};

export async function sampleUsage({ hallPid, browserPid, barePid, pages }: IdleStage): Promise<UsageSample> {
  const [members, ofBrowser] = [await descendantsOf(hallPid), await descendantsOf(browserPid)];
  const browser = [browserPid, ...ofBrowser];
  const [hall, bare] = [await processorSeconds(hallPid), await processorSeconds(barePid)];
  const before = await wholeSeconds(browser);
  const seconds = { hall: hall.own, members: hall.ofEnded + (await wholeSeconds(members)), pages: before, bare: bare.own };
  const heaps = await Promise.all(pages.map(heapOf));
  const memory = {
    hall: await residentMebibytes(hallPid),
    members: await residentMebibytes(...members),
    pages: heaps.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20,
    bare: await residentMebibytes(barePid),
  };
  return { at: performance.now(), memory, seconds, spentOnLooking: (await wholeSeconds(browser)) - before };
}

async function wholeSeconds(pids: readonly number[]): Promise<number> {
  const used = await Promise.all(pids.map(processorSeconds));
  return used.reduce((sum, { own, ofEnded }) => sum + own + ofEnded, 0);
}
