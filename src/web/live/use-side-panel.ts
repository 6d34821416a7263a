import { useState } from "react";

export type SidePart = "talk" | "members";

/** Below this width there is one column, and the panel is a tab of it; see `--breakpoint-column`. */
const oneColumn = "(max-width: 960px)";

/** What is beside a session, or in its place where there is no room beside it. */
export function useSidePanel() {
  const [isShown, setIsShown] = useState(true);
  const [part, setPart] = useState<SidePart>("talk");
  const toggle = () => {
    if (matchMedia(oneColumn).matches) setPart(part === "talk" ? "members" : "talk");
    else setIsShown(!isShown);
  };
  return { isShown, part, show: setPart, toggle };
}
