"use client";

import { Search } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Icon } from "../elements/icon.tsx";
import { Kbd } from "../elements/kbd.tsx";
import { paletteListId } from "./palette-list.tsx";

type PaletteSearchProps = {
  query: string;
  activeOption: string | undefined;
  onQuery: (text: string) => void;
  onMove: (step: 1 | -1) => void;
  onRun: () => void;
};

/** The palette's input. Focus stays in it; arrows move the chosen option below. */
export function PaletteSearch({ query, activeOption, onQuery, onMove, onRun }: PaletteSearchProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actionOf(event);
    if (act === null || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (act === "run") onRun();
    else onMove(act);
  };
  return (
    <div className="flex h-13 items-center gap-2.5 border-b border-line px-4">
      <Icon of={Search} />
      <input
        role="combobox"
        aria-label="Search or run a command"
        aria-expanded
        aria-controls={paletteListId}
        aria-activedescendant={activeOption}
        aria-autocomplete="list"
        data-first-focus
        autoComplete="off"
        spellCheck={false}
        placeholder="Search or run a command"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-w-0 flex-1 self-stretch text-[16px] leading-none outline-0 placeholder:text-ink-3"
      />
      <Kbd>Esc</Kbd>
    </div>
  );
}

function actionOf({ key, ctrlKey }: KeyboardEvent): "run" | 1 | -1 | null {
  if (key === "Enter") return "run";
  if (key === "ArrowDown" || (ctrlKey && key === "n")) return 1;
  if (key === "ArrowUp" || (ctrlKey && key === "p")) return -1;
  return null;
}
