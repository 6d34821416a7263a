import { useEffect, useRef } from "react";
import type { PageCommand } from "./page-command.ts";
import { useShell } from "./shell-context.ts";

/** Puts what a part of the page can do into the palette for as long as that part is there. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  const { offer } = useShell();
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => offer(() => latest.current), [offer]);
}
