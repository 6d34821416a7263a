import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Session, SessionList, SessionStatus } from "../../schema/session.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { askedOf, boardAddress, firstPage, isShown } from "./board-query.ts";
import type { BoardQuery } from "./board-query.ts";
import { useHallNews } from "./live-provider.tsx";
import { withBeginning, withChanged, withNextPage } from "./session-list.ts";
import { useGathered } from "./use-gathered.ts";
import { useIsVisible } from "./use-is-visible.ts";

const nextPage = 200;
const longestPage = 500;

/** News that come together cost one reading. */
const gatherMs = 120;
/** More changes than these are read with the list and not one by one. */
const mostAlone = 20;

/** A list, and the address of the Board that it was read for. */
export type ReadList = { list: SessionList; of: string };

/** The sessions that a query is after, read page by page, `atLeast` so many of them, and kept true while they are looked at. */
export function useSessionList(query: BoardQuery, initial: ReadList, atLeast: number) {
  const address = boardAddress(query);
  const [{ list, of }, setShown] = useState(initial);
  /** How the last reading failed. */
  const [trouble, setTrouble] = useState<unknown>(null);
  const [isReadingMore, setIsReadingMore] = useState(false);
  const isVisible = useIsVisible();
  const missed = useRef({ all: false, ids: new Set<SessionId>() });
  // What was read last is kept beside what is shown, for a reading may begin before its forerunner is drawn.
  const kept = useRef(initial);
  const lastReading = useRef(Promise.resolve());
  const isOfQuery = of === address;
  const isEnough = isOfQuery && (list.sessions.length >= atLeast || list.nextCursor === null);

  const keep = (next: SessionList) => {
    kept.current = { list: next, of: address };
    setShown(kept.current);
  };
  /** Changes the list unless it is another one by now. */
  const put = (change: (list: SessionList) => SessionList) => {
    if (kept.current.of === address) keep(change(kept.current.list));
  };

  const note = ({ id, status }: { id: SessionId; status: SessionStatus | null }) => {
    if (status !== null) return void missed.current.ids.add(id);
    // Nobody can be asked about one that is gone.
    missed.current.ids.delete(id);
    put((before) => withChanged(before, new Map([[id, null]])));
  };
  const readFirst = useEffectEvent((signal: AbortSignal) =>
    attempt(async () => {
      const read = await readBeginning(query, Math.max(firstPage, atLeast));
      if (!signal.aborted) keep(read);
    }),
  );
  const isWanted = useEffectEvent((asked: string) => asked === address);
  const catchUp = useEffectEvent(() =>
    inTurn(async () => {
      const { all, ids } = missed.current;
      missed.current = { all: false, ids: new Set() };
      const known = kept.current.list.sessions;
      const isMuch = all || ids.size > mostAlone;
      const fresh = await readBeginning(query, isMuch ? Math.max(firstPage, atLeast, known.length) : firstPage);
      const found = new Set(fresh.sessions.map(({ id }) => id));
      const knownIds = new Set(known.map(({ id }) => id));
      // Whether a session fits words only the hall knows: one that was not found is not looked for among the rest.
      const behind = isMuch ? [] : [...ids].filter((id) => !found.has(id) && (query.words === "" || knownIds.has(id)));
      const changed = new Map(await Promise.all(behind.map(async (id) => [id, await readOne(id, query)] as const)));
      // Whoever asked for another list meanwhile is on the way to it, and it is read anew.
      if (!isWanted(address)) return;
      const before = kept.current;
      keep(isMuch || before.of !== address ? fresh : withBeginning(withChanged(before.list, changed), fresh));
    }),
  );
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      setTrouble(null);
    } catch (error) {
      missed.current.all = true;
      setTrouble(error);
    }
  }
  /** Two readings that go on from what is there would each undo what the other found. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    lastReading.current = lastReading.current.then(() => attempt(work));
    return lastReading.current;
  }

  useEffect(() => {
    if (isEnough) return;
    const leaving = new AbortController();
    void readFirst(leaving.signal);
    return () => leaving.abort();
  }, [isEnough, address, atLeast]);

  const onChange = useGathered(() => void catchUp(), { ms: gatherMs, isWanted: isVisible });
  useHallNews((news) => {
    if (news.news === "offline" || (news.news === "online" && !news.hasMissed && !missed.current.all)) return;
    if (news.news === "online") missed.current.all = true;
    else if (news.event.event !== "session" || news.event.data.part !== undefined) return;
    else note(news.event.data);
    onChange();
  });

  return {
    list,
    /** The address that the list was read for. */
    of,
    /** The list is still that of an earlier query. */
    isBehind: !isOfQuery,
    hasFailed: trouble !== null,
    // That a hall does not answer is told at the top of the page, and everything is read when it does.
    failure: trouble === null || isAway(trouble) ? null : sentenceOf(trouble, "read"),
    isReadingMore,
    readMore: async () => {
      if (isReadingMore || list.nextCursor === null || !isOfQuery) return;
      setIsReadingMore(true);
      await inTurn(async () => {
        const cursor = kept.current.of === address ? kept.current.list.nextCursor : null;
        if (cursor === null) return;
        const page = await client().list({ ...askedOf(query), limit: nextPage, cursor });
        // Somebody may have asked for another list meanwhile and come back to this one, which is read anew then.
        put((before) => (before.nextCursor === cursor ? withNextPage(before, page) : before));
      });
      setIsReadingMore(false);
    },
  };
}

/** The first so many, or all there are. The hall gives them in pages. */
async function readBeginning(query: BoardQuery, count: number): Promise<SessionList> {
  let list = await client().list({ ...askedOf(query), limit: Math.min(longestPage, count) });
  while (list.nextCursor !== null && list.sessions.length < count) {
    const limit = Math.min(longestPage, count - list.sessions.length);
    list = withNextPage(list, await client().list({ ...askedOf(query), limit, cursor: list.nextCursor }));
  }
  return list;
}

/** Null where it is gone, or not among what is shown. */
async function readOne(id: SessionId, query: BoardQuery): Promise<Session | null> {
  try {
    const { session } = await client().get(id, { limit: 1 });
    return isShown(session, query.show) ? session : null;
  } catch (error) {
    if (error instanceof HallError && error.code === "not_found") return null;
    throw error;
  }
}

const isAway = (error: unknown): boolean => error instanceof HallError && error.code === "hall_unreachable";

const client = () => createHallClient({ baseUrl: "" }).sessions;
