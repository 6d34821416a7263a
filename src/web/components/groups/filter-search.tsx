"use client";

import type { LucideIcon } from "lucide-react";
import { useRef } from "react";
import type { KeyboardEvent } from "react";
import { useHotkeys } from "../../live/hotkeys.ts";
import { Icon } from "../elements/icon.tsx";
import { Input } from "../elements/input.tsx";
import { Kbd } from "../elements/kbd.tsx";

type FilterSearchProps = {
  label: string;
  placeholder: string;
  icon: LucideIcon;
  words: string;
  /** A selector of the first thing in the list below. */
  first: string;
  onWords: (words: string) => void;
  className: string;
  inputClassName: string;
};

/** The words of a filter: `/` leads here from anywhere on the page, Escape empties it, and an arrow goes on to the list below. */
export function FilterSearch({ label, placeholder, icon, words, first, onWords, className, inputClassName }: FilterSearchProps) {
  const input = useRef<HTMLInputElement>(null);
  useHotkeys({ "/": () => input.current?.focus() });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && words !== "") {
      event.preventDefault();
      onWords("");
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      document.querySelector<HTMLElement>(first)?.focus();
    }
  };
  return (
    <div className={`relative ${className}`}>
      <Icon of={icon} className="pointer-events-none absolute top-1/2 left-2.5 size-[15px] -translate-y-1/2 text-ink-3" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={onKeyDown}
        className={`pr-8 pl-8 max-rail:h-11 [&::-webkit-search-cancel-button]:hidden ${inputClassName}`}
      />
      <Kbd className="absolute top-1/2 right-2 -translate-y-1/2 max-rail:hidden">/</Kbd>
    </div>
  );
}
