import { useEffect, useState } from "react";
import { createHallClient } from "../../../client/hall-client.ts";
import type { Session } from "../../../schema/session.ts";

const typingMs = 150;

/** Sessions whose name matches: at once among the recent ones, a moment later among all. */
export function useFoundSessions(query: string, recent: readonly Session[]): readonly Session[] {
  const [found, setFound] = useState<{ query: string; sessions: readonly Session[] }>({ query: "", sessions: [] });
  const wanted = query.trim();
  useEffect(() => {
    if (wanted === "" || wanted.startsWith(">")) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      createHallClient({ baseUrl: "" })
        .sessions.list({ q: wanted, limit: 8 })
        .then(
          ({ sessions }) => isCurrent && setFound({ query: wanted, sessions }),
          // Without an answer the recent ones are still worth showing.
          () => undefined,
        );
    }, typingMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  if (found.query !== wanted || wanted === "") return recent;
  const known = new Set(recent.map(({ id }) => id));
  return [...recent, ...found.sessions.filter(({ id }) => !known.has(id))];
}
