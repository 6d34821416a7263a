import { useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";

/** So near to the end of the page somebody is at its end. */
const nearEnd = 60;

/** Keeps the end of what grows in sight for whoever was at the end before it grew. */
export function useFollowedEnd(length: number): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const bottom = useRef<number | null>(null);
  useLayoutEffect(() => {
    const page = end.current?.closest("main");
    if (page === null || page === undefined) return;
    const wasAtEnd = bottom.current !== null && page.scrollTop + page.clientHeight >= bottom.current - nearEnd;
    // A page that fits its window has no end to be at: its reader has just come.
    if (wasAtEnd && bottom.current !== null && bottom.current > page.clientHeight) page.scrollTop = page.scrollHeight;
    bottom.current = page.scrollHeight;
  }, [length]);
  return end;
}
