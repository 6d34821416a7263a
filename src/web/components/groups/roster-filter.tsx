"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import type { KeyboardEvent } from "react";
import { counted } from "../../format/figures.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import { Icon } from "../elements/icon.tsx";
import { Input } from "../elements/input.tsx";
import { Kbd } from "../elements/kbd.tsx";
import { foundHref, foundId, resultsId } from "./roster-results.tsx";
import type { Found } from "./roster-results.tsx";

type RosterFilterProps = {
  query: string;
  /** Null where nothing is searched for. */
  found: readonly Found[] | null;
  chosen: number;
  onQuery: (text: string) => void;
  onChoose: (at: number) => void;
};

/** The search over all tools. Focus stays in it while arrows move in what was found. */
export function RosterFilter({ query, found, chosen, onQuery, onChoose }: RosterFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  useHotkeys({ "/": () => input.current?.focus() });
  const isFound = found !== null && found.length > 0;

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const target = found?.[chosen];
    if (event.nativeEvent.isComposing || (step === 0 && event.key !== "Enter")) return;
    event.preventDefault();
    if (found === null) {
      if (step === 1) document.querySelector<HTMLElement>("main summary")?.focus();
    } else if (step !== 0) {
      onChoose(Math.max(0, Math.min(found.length - 1, chosen + step)));
    } else if (target !== undefined) {
      router.push(foundHref(target));
    }
  };
  return (
    <div className="mb-3 flex items-center gap-3">
      <div className="relative w-full max-w-[440px]">
        <Icon of={Search} className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-3" />
        <Input
          ref={input}
          role="combobox"
          aria-label="Find a tool"
          aria-expanded={isFound}
          aria-controls={isFound ? resultsId : undefined}
          aria-activedescendant={found?.[chosen] === undefined ? undefined : foundId(chosen)}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Find a tool by name, description or member"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={onKeyDown}
          className="pl-8.5"
        />
        <Kbd className="absolute top-1/2 right-2.5 -translate-y-1/2 max-rail:hidden">/</Kbd>
      </div>
      <p role="status" className="flex-none text-xs text-ink-3 tabular-nums">
        {found === null ? "" : counted(found.length, "match", "matches")}
      </p>
    </div>
  );
}
