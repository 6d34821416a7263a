"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { FocusEvent } from "react";
import type { Match, Session } from "../../../schema/session.ts";
import { heldOrder } from "../../live/held-order.ts";
import { Button } from "../elements/button.tsx";
import { cardHeight, SessionCard } from "./session-card.tsx";

type SessionGridProps = {
  sessions: readonly Session[];
  words: string;
  matches: Readonly<Record<string, Match>> | undefined;
  /** There are more than these. */
  isCut: boolean;
};

const gap = 12;
const narrowest = 236;
const rowHeight = cardHeight + gap;
/** Rows drawn above and below what is in sight, so that a keyboard or a flick finds them there. */
const spareRows = 4;
/** What the server draws, which does not know how large the window is. */
const firstDrawn = 24;

type View = { columns: number; from: number; to: number };

/**
 * Cards in rows. Only those near the window are drawn, however many there are, and all in one element, so that a card that
 * moves stays the element it is and keeps focus. While somebody is reading further down, the order stays as it is.
 */
export function SessionGrid({ sessions, words, matches, isCut }: SessionGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const [view, setView] = useState<View | null>(null);
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const { shown, isBehind } = held === null ? { shown: sessions, isBehind: false } : heldOrder(held, sessions);
  const rows = view === null ? 0 : Math.ceil(shown.length / view.columns);
  const from = view === null ? 0 : Math.max(0, Math.min(view.from, rows - 1));
  const drawn = view === null ? shown.slice(0, firstDrawn) : shown.slice(from * view.columns, view.to * view.columns);
  const below = view === null ? 0 : Math.max(0, rows - Math.max(view.to, from));

  const look = useEffectEvent(() => {
    const element = list.current;
    const page = element?.closest("main");
    if (element == null || page == null) return;
    const top = element.getBoundingClientRect().top - page.getBoundingClientRect().top;
    setView((before) => sameView(before, viewOf(top, page.clientHeight, element.clientWidth)));
    if (top < 0) hold();
    else if (!element.contains(document.activeElement)) setHeld(null);
  });
  const hold = () => setHeld((before) => before ?? sessions.map(({ id }) => id));
  const letGo = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(relatedTarget)) requestAnimationFrame(() => look());
  };
  const showNewest = () => {
    setHeld(null);
    list.current?.closest("section")?.scrollIntoView({ block: "start" });
  };

  useEffect(() => {
    const page = list.current?.closest("main");
    const onChange = () => look();
    const sizes = new ResizeObserver(onChange);
    if (list.current !== null) sizes.observe(list.current);
    if (page != null) sizes.observe(page);
    page?.addEventListener("scroll", onChange, { passive: true });
    onChange();
    return () => {
      sizes.disconnect();
      page?.removeEventListener("scroll", onChange);
    };
  }, []);

  return (
    <>
      {isBehind ? (
        <div className="sticky top-0 z-10 flex h-0 justify-center" role="status">
          <Button size="sm" className="mt-1 shadow-2" onClick={showNewest}>
            Something happened above. Show the newest
          </Button>
        </div>
      ) : null}
      <ul
        ref={list}
        onFocus={hold}
        onBlur={letGo}
        style={{ paddingTop: from * rowHeight, paddingBottom: below * rowHeight }}
        className="grid grid-cols-[repeat(auto-fill,minmax(236px,1fr))] gap-3 [overflow-anchor:none] max-rail:grid-cols-1"
      >
        {drawn.map((session, at) => (
          <li
            key={session.id}
            aria-posinset={from * (view?.columns ?? 1) + at + 1}
            aria-setsize={isCut ? -1 : shown.length}
            className="min-w-0"
          >
            <SessionCard session={session} words={words} match={matches?.[session.id]} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** `top` is where the list begins, seen from the top of the window; it is above it, and negative, once somebody scrolls. */
function viewOf(top: number, height: number, width: number): View {
  const isNarrow = matchMedia("(width < 721px)").matches;
  const columns = isNarrow ? 1 : Math.max(1, Math.floor((width + gap) / (narrowest + gap)));
  return {
    columns,
    from: Math.max(0, Math.floor(-top / rowHeight) - spareRows),
    to: Math.max(0, Math.ceil((height - top) / rowHeight)) + spareRows,
  };
}

const sameView = (before: View | null, now: View): View =>
  before !== null && before.columns === now.columns && before.from === now.from && before.to === now.to ? before : now;
