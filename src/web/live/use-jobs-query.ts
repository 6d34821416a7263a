import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { jobsAddress, readJobsQuery } from "./jobs-query.ts";
import type { JobsQuery } from "./jobs-query.ts";

const typingMs = 150;

/** What the Jobs page shows. The address has it; words get there a moment after they are typed. */
export function useJobsQuery(): { query: JobsQuery; words: string; change: (change: Partial<JobsQuery>) => void } {
  const parameters = useSearchParams();
  const named = readJobsQuery((name) => parameters.get(name));
  // What was chosen is shown at once; the address has it a moment later.
  const [chosen, setChosen] = useState<{ query: JobsQuery; over: string } | null>(null);
  if (chosen !== null && chosen.over !== jobsAddress(named)) setChosen(null);
  const query = chosen?.over === jobsAddress(named) ? chosen.query : named;
  const [typed, setTyped] = useState({ text: query.words, over: query.words });
  // Somebody went back or forth, and what was typed belongs to another address.
  const words = typed.over === query.words || typed.text.trim() === query.words ? typed.text : query.words;

  const address = jobsAddress({ ...query, words: words.trim() });
  const current = jobsAddress(query);
  useEffect(() => {
    if (address === current) return;
    const timer = setTimeout(() => window.history.replaceState(null, "", address), typingMs);
    return () => clearTimeout(timer);
  }, [address, current]);

  return {
    query,
    words,
    change: (changed) => {
      if (changed.words !== undefined) setTyped({ text: changed.words, over: query.words });
      const { words: text, ...choices } = changed;
      if (Object.keys(choices).length === 0) return;
      const next = { ...query, ...choices, words: (text ?? words).trim() };
      if (jobsAddress(next) !== jobsAddress(named)) setChosen({ query: next, over: jobsAddress(named) });
      window.history.replaceState(null, "", jobsAddress(next));
    },
  };
}
