import { createContext, use } from "react";
import type { StatusName } from "../elements/status.tsx";
import type { JobDraft } from "./dispatch-draft.ts";
import type { PageCommand } from "./page-command.ts";

/** What can lie above the page. One at a time. */
export type Layer =
  | { layer: "palette" }
  | { layer: "keys" }
  | { layer: "new-session"; name: string }
  | { layer: "new-job"; draft?: JobDraft }
  | { layer: "add-member" }
  | { layer: "stop-everything" };

export type Shell = {
  /** Takes what a page can do into the palette, until what it returns is called. */
  offer: (commands: () => readonly PageCommand[]) => () => void;
  offered: () => readonly PageCommand[];
  open: (layer: Layer) => void;
  close: () => void;
  /** Shows one sentence for a few seconds. */
  say: (sentence: string, status?: StatusName) => void;
};

export const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  const shell = use(ShellContext);
  if (shell === null) throw new Error("useShell needs a Shell above it.");
  return shell;
}
