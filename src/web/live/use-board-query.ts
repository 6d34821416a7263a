import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { boardAddress, readBoardQuery } from "./board-query.ts";
import type { BoardQuery } from "./board-query.ts";

const typingMs = 150;

/**
 * What the Board shows. The address has it, so that a reload, a link and the way back from a session show the same; words
 * get there a moment after they are typed.
 */
export function useBoardQuery(): { query: BoardQuery; words: string; change: (change: Partial<BoardQuery>) => void } {
  const parameters = useSearchParams();
  const query = readBoardQuery((name) => parameters.get(name));
  const [typed, setTyped] = useState({ text: query.words, over: query.words });
  // Somebody went back or forth, and what was typed belongs to another address.
  const words = typed.over === query.words || typed.text.trim() === query.words ? typed.text : query.words;

  const address = boardAddress({ show: query.show, words: words.trim() });
  const current = boardAddress(query);
  useEffect(() => {
    if (address === current) return;
    const timer = setTimeout(() => window.history.replaceState(null, "", address), typingMs);
    return () => clearTimeout(timer);
  }, [address, current]);

  return {
    query,
    words,
    change: ({ words: text, show }) => {
      if (text !== undefined) setTyped({ text, over: query.words });
      if (show !== undefined) window.history.replaceState(null, "", boardAddress({ show, words: (text ?? words).trim() }));
    },
  };
}
