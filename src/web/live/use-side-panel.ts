import { useState } from "react";
import type { Hotkeys } from "./hotkeys.ts";

/** The conversation, and what there is beside it. */
export type SidePart = "talk" | "context" | "members" | "artifacts" | "cost";

const sideParts: readonly SidePart[] = ["talk", "context", "members", "artifacts", "cost"];

/** Below this width there is one column, and the panel is tabs of it; see `--breakpoint-column`. */
const oneColumn = "(max-width: 960px)";

export type SidePanel = ReturnType<typeof useSidePanel>;

/** What is beside a session, or in its place where there is no room beside it. */
export function useSidePanel() {
  const [isShown, setIsShown] = useState(true);
  const [part, setPart] = useState<SidePart>("talk");
  const toggle = () => {
    if (matchMedia(oneColumn).matches) setPart(part === "talk" ? "context" : "talk");
    else setIsShown(!isShown);
  };
  const step = (by: 1 | -1) => {
    const next = sideParts[(sideParts.indexOf(part) + by + sideParts.length) % sideParts.length] ?? "talk";
    setPart(next);
    // Side by side nothing has to be shown, so the key leads to where it is.
    if (!matchMedia(oneColumn).matches) document.getElementById(next === "talk" ? "main" : headingId(next))?.focus();
  };
  const hotkeys: Hotkeys = { "[": toggle, "]": toggle, "{": () => step(-1), "}": () => step(1) };
  return { isShown, part, show: setPart, toggle, hotkeys };
}

/** Where a part of the panel begins. */
export const headingId = (part: SidePart): string => `session-${part}`;
