import { useEffect, useRef } from "react";
import type { PaletteKind } from "./palette-items.ts";
import { useShell } from "./shell-context.ts";

/** What can be done on the page that is open, for the palette. */
export type PageCommand = {
  id: string;
  kind: PaletteKind;
  label: string;
  hotkey?: string;
  run: () => void;
  /** It stays in the list, and says why when it is chosen. */
  disabledBecause?: string | undefined;
};

/** Puts what a part of the page can do into the palette for as long as that part is there. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  const { offer } = useShell();
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => offer(() => latest.current), [offer]);
}
