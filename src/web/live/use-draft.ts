import { useSyncExternalStore } from "react";

/** A text that is being written, kept for this tab until it is emptied. */
export function useDraft(id: string): [string, (text: string) => void] {
  const key = `guild-hall-draft-${id}`;
  const text = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(key) ?? "",
    () => "",
  );
  const keep = (next: string) => {
    if (next === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
    window.dispatchEvent(new Event(changed));
  };
  return [text, keep];
}

/** Browsers tell other tabs of a change in storage, but not the tab that made it. */
const changed = "guild-hall-draft";

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changed, onChange);
  return () => window.removeEventListener(changed, onChange);
}
