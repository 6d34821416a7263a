import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { keepBoardPlace, keptBoardPlace } from "./board-place.ts";
import type { BoardPlace } from "./board-place.ts";

/** Browsers take only so many changes of the history; a place is kept once somebody rests. */
const restMs = 150;

/** The place to go back to, until it is reached. Null for whoever comes to the list of this address anew. */
export function useWantedPlace(address: string): { wanted: BoardPlace | null; onReached: () => void } {
  const [kept, setKept] = useState<BoardPlace | null>(null);
  useLayoutEffect(() => {
    // Before now, while the page was drawn, the history was still that of the page before it.
    const look = () => setKept(keptBoardPlace());
    look();
    window.addEventListener("popstate", look);
    return () => window.removeEventListener("popstate", look);
  }, []);
  return { wanted: kept?.of === address ? kept : null, onReached: () => setKept(null) };
}

type Cards = {
  /** The address of the Board that the cards were read for. */
  of: string;
  count: number;
  /** There are no more than these. */
  isWhole: boolean;
  /** The list has the height of all its cards. */
  isMeasured: boolean;
  wanted: BoardPlace | null;
  onReached: () => void;
};

/** Keeps with the entry of the history how far somebody scrolled, and goes back there when enough of the list is read. */
export function useBoardPlace(list: RefObject<HTMLElement | null>, { of, count, isWhole, isMeasured, wanted, onReached }: Cards): void {
  const place = useRef<BoardPlace | null>(null);
  const reached = useEffectEvent(onReached);
  const isReady = wanted !== null && isMeasured && (count >= wanted.count || isWhole);
  useLayoutEffect(() => {
    if (!isReady) return;
    const page = pageOf(list);
    // Whoever scrolled meanwhile is where they want to be.
    if (page?.scrollTop === 0) page.scrollTop = wanted.top;
    reached();
  }, [list, isReady, wanted]);

  const keep = useEffectEvent((top: number) => {
    if (wanted !== null || (top === 0 && place.current === null)) return;
    place.current = { top, count, of };
    keepBoardPlace(place.current);
  });
  useEffect(() => {
    const page = pageOf(list);
    if (page === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keepNow = () => {
      clearTimeout(timer);
      keep(page.scrollTop);
    };
    const keepSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(keepNow, restMs);
    };
    page.addEventListener("scroll", keepSoon, { passive: true });
    // A click may lead away.
    page.addEventListener("click", keepNow, { capture: true });
    return () => {
      clearTimeout(timer);
      page.removeEventListener("scroll", keepSoon);
      page.removeEventListener("click", keepNow, { capture: true });
    };
  }, [list]);
  // Next forgets what is not its own when the server draws the page again.
  useEffect(() => {
    if (place.current !== null && keptBoardPlace() === null) keepBoardPlace(place.current);
  });
}

const pageOf = (list: RefObject<HTMLElement | null>): HTMLElement | null => list.current?.closest("main") ?? null;
