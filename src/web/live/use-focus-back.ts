import { useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";

/** If what has this ref goes away while focus is in it, focus stays in the conversation around it. */
export function useFocusBack<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const left = part.current;
    return () => {
      if (left?.contains(document.activeElement) === true) left.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
    };
  }, []);
  return part;
}
