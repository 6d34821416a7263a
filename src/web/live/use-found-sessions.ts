import { useEffect, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { Match, Session } from "../../schema/session.ts";

const typingMs = 150;
const mostFound = 8;

/** `matches` tells where in its messages a session has the words, by its id; one that is there was found by the hall. */
export type FoundSessions = { sessions: readonly Session[]; matches: ReadonlyMap<string, Match | null> };

/** Sessions that match: at once among the names of the recent ones, a moment later among all, and all that was said in them. */
export function useFoundSessions(query: string, recent: readonly Session[]): FoundSessions {
  const [found, setFound] = useState<FoundSessions & { query: string }>({ query: "", ...nothing });
  const wanted = query.trim();
  useEffect(() => {
    if (wanted === "" || wanted.startsWith(">")) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      createHallClient({ baseUrl: "" })
        .sessions.list({ q: wanted.slice(0, 200), limit: mostFound })
        .then(
          ({ sessions, matches = {} }) =>
            isCurrent && setFound({ query: wanted, sessions, matches: new Map(sessions.map(({ id }) => [id, matches[id] ?? null])) }),
          // Without an answer the recent ones are still worth showing.
          () => undefined,
        );
    }, typingMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  if (found.query !== wanted || wanted === "") return { ...nothing, sessions: recent };
  const others = recent.filter(({ id }) => !found.matches.has(id));
  return { sessions: [...found.sessions, ...others], matches: found.matches };
}

const nothing: FoundSessions = { sessions: [], matches: new Map() };
