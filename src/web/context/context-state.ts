import { isClean, mergeContext, mergedText } from "./merge.ts";
import type { Choice, Region } from "./merge.ts";

/** What the hall has on the disk, and the name of exactly that. */
export type ContextFile = { text: string; etag: string };

/** A text that was being written, with the file it was made of. */
export type ContextDraft = { base: ContextFile; text: string };

/** A context file while a person edits it. */
export type ContextState = {
  /** The file as it was when what is being written was last one with it; null until it is read. */
  base: ContextFile | null;
  /** What is being written. Lines end as in a text field, whatever they end with on the disk. */
  text: string;
  /** What somebody else saved since, where both changed the same lines. Nothing is saved until a person has chosen. */
  theirs: ContextFile | null;
  isSaving: boolean;
  savedAt: string | null;
  failure: string | null;
};

export const startState: ContextState = { base: null, text: "", theirs: null, isSaving: false, savedAt: null, failure: null };

export const hasChanges = ({ base, text }: ContextState): boolean => base !== null && text !== asTyped(base.text);

/** The file is as `file` says now: what is being written and what is there become one where they can. */
export function takeIn(state: ContextState, file: ContextFile): ContextState {
  const { base, text } = state;
  if (base === null || !hasChanges(state)) return settled(state, file, asTyped(file.text));
  if (file.etag === base.etag) return { ...state, theirs: null, failure: null };
  const regions = mergeContext({ base: base.text, mine: text, theirs: file.text });
  return isClean(regions) ? settled(state, file, mergedText(regions, "")) : { ...state, theirs: file, failure: null };
}

/** A key can be pressed in the moment between what was taken in and its drawing. It changes what was seen, and undoes nothing else. */
export function typed(state: ContextState, text: string, shown: string): ContextState {
  if (shown === state.text) return { ...state, text };
  return { ...state, text: mergedText(mergeContext({ base: shown, mine: text, theirs: state.text }), "") };
}

/** Takes up what was being written before the page went away. */
export const takeUp = ({ base, text }: ContextDraft): ContextState => ({ ...startState, base, text });

/** Where both changed the same lines, as it is at this moment. */
export const conflictOf = ({ base, text, theirs }: ContextState): readonly Region[] =>
  base === null || theirs === null ? [] : mergeContext({ base: base.text, mine: text, theirs: theirs.text });

export function choose(state: ContextState, choices: readonly Choice[]): ContextState {
  return state.theirs === null ? state : settled(state, state.theirs, mergedText(conflictOf(state), "", choices));
}

export const saved = (state: ContextState, sent: string, etag: string, at: string): ContextState => ({
  ...state,
  base: { text: sent, etag },
  isSaving: false,
  savedAt: at,
  failure: null,
});

/** What goes to the disk, with the line ends that are there. */
export const asStored = ({ base, text }: ContextState): string =>
  base?.text.includes("\r\n") === true ? text.replaceAll("\n", "\r\n") : text;

const settled = (state: ContextState, base: ContextFile, text: string): ContextState => ({
  ...state,
  base,
  text,
  theirs: null,
  failure: null,
});

const asTyped = (text: string): string => text.replaceAll(/\r\n?/g, "\n");
