import { HallError } from "../../schema/hall-error.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { asStored, choose, hasChanges, saved, startState, takeIn, takeUp, typed } from "./context-state.ts";
import type { ContextDraft, ContextFile, ContextState } from "./context-state.ts";
import type { Choice } from "./merge.ts";

type ContextEditorDeps = {
  read: () => Promise<ContextFile>;
  write: (text: string, etag: string) => Promise<{ etag: string }>;
  /** What is being written outlives the page. */
  drafts: { get: () => ContextDraft | null; keep: (draft: ContextDraft | null) => void };
  now: () => string;
  /** Called with each new state. */
  onState: (state: ContextState) => void;
};

export type ContextEditor = ReturnType<typeof createContextEditor>;

/** Saving waits for a pause of this length in the writing. */
const pauseMs = 800;

/** Keeps a context file and what a person makes of it together. Reading and writing happen one after the other. */
export function createContextEditor({ read, write, drafts, now, onState }: ContextEditorDeps) {
  const draft = drafts.get();
  let state = draft === null ? startState : takeUp(draft);
  let isClosed = false;
  let isStale = true;
  let working: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function become(next: ContextState): void {
    state = next;
    if (!isClosed) onState(state);
  }

  function keepDraft(): void {
    drafts.keep(state.base === null || !hasChanges(state) ? null : { base: state.base, text: state.text });
  }

  /** Reads what changed on the disk, then saves what changed here, until there is neither. */
  function work(): Promise<void> {
    working ??= step().finally(() => {
      working = null;
      keepDraft();
    });
    return working;
  }

  async function step(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        const file = await read();
        become(takeIn(state, file));
      }
      while (hasChanges(state) && state.theirs === null && !isStale) await save();
      if (isStale) await step();
    } catch (error) {
      become({ ...state, isSaving: false, failure: sentenceOf(error, hasChanges(state) ? "save" : "read") });
    }
  }

  async function save(): Promise<void> {
    if (state.base === null) return;
    const sent = asStored(state);
    become({ ...state, isSaving: true });
    try {
      const { etag } = await write(sent, state.base.etag);
      become(saved(state, sent, etag, now()));
    } catch (error) {
      if (!(error instanceof HallError) || error.code !== "precondition_failed") throw error;
      isStale = true;
      become({ ...state, isSaving: false });
    }
  }

  function saveSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      keepDraft();
      void work();
    }, pauseMs);
  }

  return {
    state: () => state,
    /** The field said `shown` before and says `text` now. */
    type(text: string, shown: string): void {
      become(typed(state, text, shown));
      saveSoon();
    },
    choose(choices: readonly Choice[]): Promise<void> {
      become(choose(state, choices));
      return work();
    },
    /** Somebody may have changed the file: it is read again, and what failed is tried again. */
    refresh(): Promise<void> {
      isStale = true;
      // A draft that was taken up is seen before the file is read.
      become(state);
      return work();
    },
    /** Does not wait for a pause. */
    saveNow(): Promise<void> {
      clearTimeout(timer);
      keepDraft();
      return hasChanges(state) ? work() : Promise.resolve();
    },
    /** What is not saved yet is still saved, and kept until it is. */
    close(): Promise<void> {
      isClosed = true;
      return this.saveNow();
    },
  };
}
