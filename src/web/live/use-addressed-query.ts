import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { changeAddress } from "./page-drawing.ts";

const typingMs = 150;

type Addressed<Query> = {
  read: (parameter: (name: string) => string | null | undefined) => Query;
  addressOf: (query: Query) => string;
};

/**
 * What a list shows. The address has it, so that a reload, a link and the way back show the same. What is chosen is shown at
 * once, words a moment after they are typed; the address follows when it can.
 */
export function useAddressedQuery<Query extends { words: string }>({
  read,
  addressOf,
}: Addressed<Query>): {
  query: Query;
  words: string;
  change: (change: Partial<Query>) => void;
} {
  const parameters = useSearchParams();
  const named = read((name) => parameters.get(name));
  const here = addressOf(named);
  // Addresses come a moment after they were asked for, and then are no news. Any other is where somebody went.
  const [chosen, setChosen] = useState({ query: named, text: named.words, here, asked: [here] });
  if (chosen.here !== here) setChosen(arrivedAt(here, chosen) ?? { query: named, text: named.words, here, asked: [here] });
  const { query, text } = chosen;

  const wanted = text.trim();
  useEffect(() => {
    if (wanted === query.words) return;
    const timer = setTimeout(() => setChosen((now) => ({ ...now, query: { ...now.query, words: wanted } })), typingMs);
    return () => clearTimeout(timer);
  }, [wanted, query.words]);

  const [next, last] = [addressOf(query), chosen.asked.at(-1)];
  useEffect(
    () => (next === last ? undefined : changeAddress(next, () => setChosen((now) => ({ ...now, asked: [...now.asked, next] })))),
    [next, last],
  );

  return {
    query,
    words: text,
    // A key may be pressed before what changed a moment ago is drawn: what it changes is not what was drawn last.
    change: (changed) =>
      setChosen((now) => {
        const written = { ...now, text: changed.words ?? now.text };
        if (Object.keys(changed).every((name) => name === "words")) return written;
        return { ...written, query: { ...now.query, ...changed, words: written.text.trim() } };
      }),
  };
}

type Chosen<Query> = { query: Query; /** What is typed so far. */ text: string; here: string; asked: string[] };

/** Null for an address that was not asked for. */
function arrivedAt<Query>(here: string, { asked, ...chosen }: Chosen<Query>): Chosen<Query> | null {
  if (!asked.includes(here)) return null;
  return { ...chosen, here, asked: here === asked.at(-1) ? [here] : asked };
}
