"use client";

import { Search } from "lucide-react";
import type { SessionCounts } from "../../../schema/session.ts";
import { countOf, shows } from "../../live/board-query.ts";
import type { BoardQuery, Show } from "../../live/board-query.ts";
import { Segment } from "../elements/segment.tsx";
import { FilterSearch } from "./filter-search.tsx";

type SessionFilterProps = {
  show: Show;
  words: string;
  counts: SessionCounts | null;
  onChange: (change: Partial<BoardQuery>) => void;
};

const main = ["all", "running", "idle", "failed", "ended"] as const;
const endings = ["ended", "completed", "expired", "error"] as const;

/** Which sessions to see: by status, and by words in their names and messages. */
export function SessionFilter({ show, words, counts, onChange }: SessionFilterProps) {
  const isEnding = isOneOf(endings, show);
  const option = (value: Show, label = shows[value].label) => {
    const count = countOf(value, counts);
    return { value, label, ...(count === undefined ? {} : { count }) };
  };
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h2 id="board" className="mr-auto">
          Board
        </h2>
        <FilterSearch
          label="Search sessions"
          placeholder="Names and messages"
          icon={Search}
          words={words}
          first="main section li > a"
          onWords={(written) => onChange({ words: written })}
          className="w-[min(100%,250px)] max-rail:order-last max-rail:w-full"
          inputClassName="h-7 min-h-7 py-0 text-xs"
        />
        <Segment
          label="Filter sessions"
          options={main.map((value) => option(value))}
          value={isEnding ? "ended" : show}
          onChange={(chosen) => onChange({ show: chosen })}
        />
      </div>
      {isEnding ? (
        <div className="flex justify-end max-rail:justify-start">
          <Segment
            label="How they ended"
            options={endings.map((value) => option(value, value === "ended" ? "All ended" : undefined))}
            value={show}
            onChange={(chosen) => onChange({ show: chosen })}
          />
        </div>
      ) : null}
    </div>
  );
}

const isOneOf = <Value extends string>(values: readonly Value[], value: string): value is Value => values.some((each) => each === value);
