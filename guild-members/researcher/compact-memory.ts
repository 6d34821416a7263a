import type { Memory, Note } from "./memory.ts";
import type { MemoryLimits } from "./settings.ts";

export type Compaction = {
  /**
   * Starts one where the memory has grown too large and none is under way. Nobody has to wait for it. `tell` hears what came of it
   * and what it cost.
   */
  consider(tell: (report: string) => void): void;
  /** Settles when none is under way. */
  settled(): Promise<void>;
};

/** Says in fewer words what the notes say. `text` is null where that could not be had; the money is gone all the same. */
export type Condense = (notes: readonly Note[], limits: MemoryLimits) => Promise<Condensed>;
export type Condensed = { text: string; costUsd: number } | { text: null; reason: string; costUsd: number };

export type CompactionParts = { memory: Memory; limits: MemoryLimits; condense: Condense; now?: () => number };

/** What failed once is likely to fail again soon, and each attempt is paid for. */
const pauseMs = 60 * 60 * 1000;

/** Keeps the memory small, one attempt at a time. One that fails leaves everything as it was, and none follows it for an hour. */
export function createCompaction({ memory, limits, condense, now = Date.now }: CompactionParts): Compaction {
  let running: Promise<void> | null = null;
  let notBefore = 0;

  async function compact(tell: (report: string) => void): Promise<void> {
    const notes = await memory.notes();
    const size = sizeOf(notes);
    if (size <= limits.above || limits.atMost === 0) return;
    notBefore = now() + pauseMs;
    const condensed = await condense(notes, limits);
    const paid = `It cost ${money(condensed.costUsd)}.`;
    try {
      const text = textOf(condensed, Math.min(size - 1, limits.atMost * 0.9));
      await memory.replace(notes, `${text}\n`, new Date(now()));
      notBefore = 0;
      tell(`The memory was condensed from ${size} to ${text.length} characters. ${paid}`);
    } catch (error) {
      tell(`The memory was not condensed. ${wordsOf(error)} ${paid}`);
    }
  }

  return {
    consider(tell) {
      if (now() < notBefore) return;
      running ??= compact(tell)
        .catch((error: unknown) => tell(`The memory was not condensed. ${wordsOf(error)}`))
        .finally(() => (running = null));
    },
    async settled() {
      await running;
    },
  };
}

/** As the hall writes it: cents, and more figures where there is less than one. */
const money = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;

/** With its heading it must fit into a prompt. */
function textOf(condensed: Condensed, most: number): string {
  if (condensed.text === null) throw new Error(condensed.reason);
  const text = condensed.text.trim();
  if (text === "") throw new Error("Nothing was left of it.");
  if (text.length > most) throw new Error(`It still had ${text.length} characters.`);
  return text;
}

const sizeOf = (notes: readonly Note[]): number => notes.reduce((total, { text }) => total + text.length, 0);

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
