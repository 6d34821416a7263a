import type { Session, SessionList } from "../../schema/session.ts";

/** What is known of a list after its beginning was read again: what came, went or moved in it is put right, what lies behind it stays. */
export function withBeginning(list: SessionList, fresh: SessionList): SessionList {
  const last = fresh.sessions.at(-1);
  if (fresh.nextCursor === null || last === undefined) return fresh;
  const read = new Set(fresh.sessions.map(({ id }) => id));
  const rest = list.sessions.filter((session) => !read.has(session.id) && compareSessions(session, last) > 0);
  if (rest.length === 0) return fresh;
  return {
    ...fresh,
    sessions: [...fresh.sessions, ...rest],
    nextCursor: list.nextCursor,
    ...matchesOf(list, fresh),
  };
}

/** A session that moved while pages were read may be on two of them. */
export function withNextPage(list: SessionList, page: SessionList): SessionList {
  const known = new Set(list.sessions.map(({ id }) => id));
  return { ...page, sessions: [...list.sessions, ...page.sessions.filter(({ id }) => !known.has(id))], ...matchesOf(list, page) };
}

/** With some sessions as they are now; null is one that is not in the list. What lies behind the pages read so far comes with its page. */
export function withChanged(list: SessionList, changed: ReadonlyMap<string, Session | null>): SessionList {
  const last = list.sessions.at(-1);
  const isRead = (session: Session): boolean => list.nextCursor === null || (last !== undefined && compareSessions(session, last) <= 0);
  const others = list.sessions.filter(({ id }) => !changed.has(id));
  const present = [...changed.values()].filter((session) => session !== null);
  return { ...list, sessions: [...others, ...present.filter(isRead)].toSorted(compareSessions) };
}

function matchesOf(list: SessionList, fresh: SessionList): Pick<SessionList, "matches"> {
  return fresh.matches === undefined ? {} : { matches: { ...list.matches, ...fresh.matches } };
}

/** As the hall orders them: the newest activity first, and ids where it is the same. */
function compareSessions(a: Session, b: Session): number {
  if (a.lastActivityAt !== b.lastActivityAt) return a.lastActivityAt > b.lastActivityAt ? -1 : 1;
  if (a.id !== b.id) return a.id > b.id ? -1 : 1;
  return 0;
}
