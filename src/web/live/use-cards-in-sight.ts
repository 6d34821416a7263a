import { useEffect, useState } from "react";
import type { RefObject } from "react";

/** The rows to draw, from one to before another, and how many cards are in each. */
export type CardsInSight = { columns: number; from: number; to: number };

/** Rows drawn above and below what is in sight, so that a keyboard or a flick finds them there. */
const spareRows = 4;

/**
 * Which rows of a list of cards are near the window. Null until that is known, which the server cannot. `isReading` while
 * somebody has scrolled into the list or has focus in it.
 */
export function useCardsInSight(list: RefObject<HTMLElement | null>, rowHeight: number) {
  const [sight, setSight] = useState<CardsInSight | null>(null);
  const [isReading, setIsReading] = useState(false);

  useEffect(() => {
    const cards = list.current;
    const page = cards?.closest("main") ?? null;
    if (cards === null || page === null) return;
    const look = () => {
      // Where the list begins, seen from the top of the window: above it, once somebody scrolls.
      const top = cards.getBoundingClientRect().top - page.getBoundingClientRect().top;
      const now = {
        columns: getComputedStyle(cards).gridTemplateColumns.split(" ").length,
        from: Math.max(0, Math.floor(-top / rowHeight) - spareRows),
        to: Math.max(0, Math.ceil((page.clientHeight - top) / rowHeight)) + spareRows,
      };
      setSight((before) => (before !== null && isSame(before, now) ? before : now));
      setIsReading(top < 0 || cards.contains(document.activeElement));
    };
    // Focus that leaves one card may be on its way to the next.
    const lookSoon = () => requestAnimationFrame(look);
    const sizes = new ResizeObserver(look);
    sizes.observe(cards);
    sizes.observe(page);
    page.addEventListener("scroll", look, { passive: true });
    cards.addEventListener("focusin", look);
    cards.addEventListener("focusout", lookSoon);
    return () => {
      sizes.disconnect();
      page.removeEventListener("scroll", look);
      cards.removeEventListener("focusin", look);
      cards.removeEventListener("focusout", lookSoon);
    };
  }, [list, rowHeight]);

  return { sight, isReading };
}

const isSame = (a: CardsInSight, b: CardsInSight): boolean => a.columns === b.columns && a.from === b.from && a.to === b.to;
