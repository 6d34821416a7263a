import { useEffect, useEffectEvent } from "react";

/** "Mod K" is Ctrl K or Command K; "G H" is one after the other; one letter alone acts only outside text fields. */
export type Hotkeys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const sequenceMs = 1200;

export function useHotkeys(hotkeys: Hotkeys): void {
  const act = useEffectEvent((event: KeyboardEvent, pressed: string) => {
    const action = hotkeys[pressed];
    if (action === undefined) return false;
    event.preventDefault();
    action(event);
    return true;
  });
  useEffect(() => {
    let before = { key: "", at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const key = nameOf(event);
      if (!isAllowed(event, key)) return;
      const sequence = event.timeStamp - before.at < sequenceMs ? `${before.key} ${key}` : "";
      before = { key, at: event.timeStamp };
      if (!act(event, sequence)) act(event, key);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  const isLetter = /^\p{L}$/u.test(key);
  const name = isLetter ? `${shiftKey ? "Shift " : ""}${key.toUpperCase()}` : key;
  return ctrlKey || metaKey ? `Mod ${name}` : name;
}

/** While a dialog is open it has the keyboard; in a text field only combinations with a modifier are commands. */
function isAllowed(event: KeyboardEvent, key: string): boolean {
  if (event.altKey || document.querySelector("dialog[open]") !== null) return false;
  if (key.startsWith("Mod ")) return true;
  if (key === "Escape") return true;
  return !isTyping(event.target) && document.documentElement.dataset["singleKeys"] !== "off";
}

/** For a moment after a dialog closed, a field in it may still have focus; nobody types there any more. */
function isTyping(target: EventTarget | null): boolean {
  const field = target instanceof HTMLElement ? target.closest("input, textarea, select, [contenteditable]") : null;
  return field !== null && field.closest("dialog:not([open])") === null;
}
