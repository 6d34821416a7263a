"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Match, Session } from "../../../schema/session.ts";
import type { BoardPlace } from "../../live/board-place.ts";
import { heldOrder } from "../../live/held-order.ts";
import { useBoardPlace } from "../../live/use-board-place.ts";
import { useCardsInSight } from "../../live/use-cards-in-sight.ts";
import { Button } from "../elements/button.tsx";
import { moveAmongCards } from "./move-among-cards.ts";
import { cardHeight, SessionCard } from "./session-card.tsx";

type SessionGridProps = {
  sessions: readonly Session[];
  words: string;
  matches: Readonly<Record<string, Match>> | undefined;
  /** There are more than these. */
  isCut: boolean;
  /** The address of the Board that they were read for, and where to go back to in it. */
  of: string;
  place: { wanted: BoardPlace | null; onReached: () => void };
};

const rowHeight = cardHeight + 12;
/** What the server draws, which does not know how large the window is. */
const firstDrawn = 24;

/**
 * Cards in rows. Only those near the window are drawn, however many there are, and all in one element, so that a card that
 * moves stays the element it is and keeps focus. While somebody reads in them the order stays as it is.
 */
export function SessionGrid({ sessions, words, matches, isCut, of, place }: SessionGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const { sight, isReading } = useCardsInSight(list, rowHeight);
  const [held, setHeld] = useState<readonly string[] | null>(null);
  if (isReading !== (held !== null)) setHeld(isReading ? sessions.map(({ id }) => id) : null);
  const { shown, isBehind } = held === null ? { shown: sessions, isBehind: false } : heldOrder(held, sessions);

  useBoardPlace(list, { ...place, of, count: shown.length, isWhole: !isCut, isMeasured: sight !== null });
  const { columns, from, to } = sight ?? { columns: 1, from: 0, to: firstDrawn };
  const rows = Math.ceil(shown.length / columns);
  const first = Math.min(from, Math.max(0, rows - 1));
  const below = sight === null ? 0 : Math.max(0, rows - to);

  const move = useEffectEvent((event: KeyboardEvent) => moveAmongCards(event, columns));
  useEffect(() => {
    const cards = list.current;
    const onKeyDown = (event: KeyboardEvent) => move(event);
    cards?.addEventListener("keydown", onKeyDown);
    return () => cards?.removeEventListener("keydown", onKeyDown);
  }, []);

  const showNewest = () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setHeld(sessions.map(({ id }) => id));
    list.current?.closest("section")?.scrollIntoView({ block: "start" });
  };
  return (
    <>
      {isBehind ? (
        <div role="status" className="sticky top-0 z-10 flex h-0 justify-center">
          <Button size="sm" className="mt-1 shadow-2" onClick={showNewest}>
            Something is new above. Show it
          </Button>
        </div>
      ) : null}
      <ul
        ref={list}
        style={{ paddingTop: first * rowHeight, paddingBottom: below * rowHeight }}
        className="grid grid-cols-[repeat(auto-fill,minmax(236px,1fr))] gap-3 max-rail:grid-cols-1"
      >
        {shown.slice(first * columns, to * columns).map((session, at) => (
          <li key={session.id} aria-posinset={first * columns + at + 1} aria-setsize={isCut ? -1 : shown.length} className="min-w-0">
            <SessionCard session={session} words={words} match={matches?.[session.id]} />
          </li>
        ))}
      </ul>
    </>
  );
}
