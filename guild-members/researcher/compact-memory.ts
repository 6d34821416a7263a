import type { Memory, Note } from "./memory.ts";

export type Compaction = {
  /** Starts one where the memory has grown beyond `above` characters and none is under way. Nobody has to wait for it. */
  consider(limits: CompactionLimits): void;
  /** Settles when none is under way. */
  settled(): Promise<void>;
};

export type CompactionLimits = {
  above: number;
  /** What fits into a prompt, and so the most that the condensed memory may have. */
  atMost: number;
  model: string | null;
};

/** Says in fewer words what the notes say. Rejects where that cannot be had. */
export type Condense = (notes: readonly Note[], limits: CompactionLimits) => Promise<string>;

/** Keeps the memory small, one attempt at a time. An attempt that fails leaves everything as it was, and the next note is the next chance. */
export function createCompaction(memory: Memory, condense: Condense, onProblem: (reason: string) => void): Compaction {
  let running: Promise<void> | null = null;

  async function compact(limits: CompactionLimits): Promise<void> {
    const notes = await memory.notes();
    const size = sizeOf(notes);
    if (size <= limits.above || limits.atMost === 0) return;
    const condensed = (await condense(notes, limits)).trim();
    if (condensed === "") throw new Error("Nothing was left of it.");
    // With its heading it must fit into a prompt.
    if (condensed.length >= size || condensed.length > limits.atMost * 0.9) {
      throw new Error(`It still had ${condensed.length} characters.`);
    }
    await memory.replace(notes, `${condensed}\n`, new Date());
  }

  return {
    consider(limits) {
      running ??= compact(limits)
        .catch((error: unknown) => onProblem(`The memory was not condensed. ${error instanceof Error ? error.message : String(error)}`))
        .finally(() => (running = null));
    },
    async settled() {
      await running;
    },
  };
}

const sizeOf = (notes: readonly Note[]): number => notes.reduce((total, { text }) => total + text.length, 0);
