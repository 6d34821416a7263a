"use client";

import { Search } from "lucide-react";
import { useRef } from "react";
import type { KeyboardEvent } from "react";
import type { SessionCounts } from "../../../schema/session.ts";
import { countOf, shows } from "../../live/board-query.ts";
import type { BoardQuery, Show } from "../../live/board-query.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import { Icon } from "../elements/icon.tsx";
import { Input } from "../elements/input.tsx";
import { Kbd } from "../elements/kbd.tsx";
import { Segment } from "../elements/segment.tsx";

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
  const input = useRef<HTMLInputElement>(null);
  useHotkeys({ "/": () => input.current?.focus() });
  const isEnding = isOneOf(endings, show);
  const option = (value: Show, label = shows[value].label) => {
    const count = countOf(value, counts);
    return { value, label, ...(count === undefined ? {} : { count }) };
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && words !== "") {
      event.preventDefault();
      onChange({ words: "" });
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      document.querySelector<HTMLElement>("main section li > a")?.focus();
    }
  };
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h2 id="board" className="mr-auto">
          Board
        </h2>
        <div className="relative w-[min(100%,250px)] max-rail:order-last max-rail:w-full">
          <Icon of={Search} className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-ink-3" />
          <Input
            ref={input}
            type="search"
            aria-label="Search sessions"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder="Names and messages"
            value={words}
            onChange={(event) => onChange({ words: event.target.value })}
            onKeyDown={onKeyDown}
            className="h-7 min-h-7 py-0 pr-8 pl-8 text-xs max-rail:h-11 [&::-webkit-search-cancel-button]:hidden"
          />
          <Kbd className="absolute top-1/2 right-2 -translate-y-1/2 max-rail:hidden">/</Kbd>
        </div>
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
