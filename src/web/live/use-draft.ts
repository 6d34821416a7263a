import { useSyncExternalStore } from "react";

/** A text that is being written, kept for this tab until it is emptied. */
export function useDraft(id: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(
    subscribe,
    () => keptDraft(id),
    () => "",
  );
  const keep = (next: string) => {
    if (next === "") sessionStorage.removeItem(keyOf(id));
    else sessionStorage.setItem(keyOf(id), next);
    window.dispatchEvent(new Event(changed));
  };
  return [text, keep];
}

/** As it is at this moment, also for what outlives the page that it was written on. */
export const keptDraft = (id: string): string => sessionStorage.getItem(keyOf(id)) ?? "";

const keyOf = (id: string): string => `guild-hall-draft-${id}`;

/** Browsers tell other tabs of a change in storage, but not the tab that made it. */
const changed = "guild-hall-draft";

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changed, onChange);
  return () => window.removeEventListener(changed, onChange);
}
