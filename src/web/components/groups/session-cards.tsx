"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import type { SessionList } from "../../../schema/session.ts";
import { counted } from "../../format/figures.ts";
import type { BoardPlace } from "../../live/board-place.ts";
import { shows } from "../../live/board-query.ts";
import type { BoardQuery } from "../../live/board-query.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { Empty } from "../elements/empty.tsx";
import { SessionGrid } from "./session-grid.tsx";

type SessionCardsProps = {
  query: BoardQuery;
  /** Changes when the list is another one. */
  of: string;
  list: SessionList;
  /** It is not yet the list that was asked for last. */
  isBehind: boolean;
  isReadingMore: boolean;
  /** The hall did not answer, or not with a list. */
  hasFailed: boolean;
  failure: string | null;
  /** Where to go back to in it. */
  place: { wanted: BoardPlace | null; onReached: () => void };
  onMore: () => void;
  onClear: () => void;
};

/** The sessions that were asked for, and how to get at the rest of them. */
export function SessionCards({ query, of, list, isBehind, isReadingMore, hasFailed, failure, place, onMore, onClear }: SessionCardsProps) {
  const { sessions, nextCursor, matches } = list;
  const { words } = query;
  return (
    <div aria-busy={isBehind || isReadingMore} className={isBehind ? "opacity-60" : ""}>
      <p role="status" className={words === "" ? "sr-only" : "mb-2 text-xs text-ink-3 tabular-nums"}>
        {words === "" || isBehind ? "" : foundWords(sessions.length, nextCursor !== null)}
      </p>
      {failure === null ? null : (
        <div role="alert" className="mb-3">
          <Banner title="The list could not be read.">{failure}</Banner>
        </div>
      )}
      {sessions.length === 0 ? (
        <NothingFound query={query} onClear={onClear} />
      ) : (
        <SessionGrid key={of} of={of} sessions={sessions} words={words} matches={matches} isCut={nextCursor !== null} place={place} />
      )}
      {nextCursor === null ? null : <MoreButton behind={nextCursor} isBusy={isReadingMore} isByHand={hasFailed} onPress={onMore} />}
    </div>
  );
}

const foundWords = (count: number, hasMore: boolean): string =>
  hasMore ? `More than ${counted(count, "session")} found, the newest first` : `${counted(count, "session")} found`;

function NothingFound({ query: { show, words }, onClear }: { query: BoardQuery; onClear: () => void }) {
  const among = show === "all" ? "" : `, and only those that are ${shows[show].is}`;
  return (
    <Empty
      title={words === "" ? `No session is ${shows[show].is}` : `Nothing matches “${words}”`}
      action={
        <Button size="sm" onClick={onClear}>
          Show all
        </Button>
      }
    >
      {words === "" ? "The others are hidden by this filter." : `Names and messages of sessions were searched${among}.`}
    </Empty>
  );
}

type MoreButtonProps = { behind: string; isBusy: boolean; isByHand: boolean; onPress: () => void };

/**
 * Where the Roster stands beside the Board the next page comes by itself; where it stands below, it would never be reached.
 * A hall that just failed is not asked again and again.
 */
function MoreButton({ behind, isBusy, isByHand, onPress }: MoreButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  const press = useEffectEvent(onPress);
  useEffect(() => {
    if (isBusy || isByHand || place.current === null) return;
    const observer = new IntersectionObserver(
      (told) => {
        // A busy browser tells several at once, and the last is how it is now.
        if (told.at(-1)?.isIntersecting === true && matchMedia("(width >= 961px)").matches) press();
      },
      { root: place.current.closest("main"), rootMargin: "1200px" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
    // A page that comes at once may never have been drawn as busy: that this is another place is then all there is to see it by.
  }, [behind, isBusy, isByHand]);
  return (
    <div ref={place} className="mt-3 text-center">
      <Button busy={isBusy} onClick={onPress}>
        Show more sessions
      </Button>
    </div>
  );
}
