"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Session } from "../../../schema/session.ts";
import { switchTheme } from "../../live/save-preference.ts";
import { useIsPaused } from "../../live/runs-provider.tsx";
import { useRoster } from "../../live/roster-provider.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { Kbd } from "../elements/kbd.tsx";
import { paletteItems } from "./palette-items.ts";
import type { PaletteAction } from "./palette-items.ts";
import { PaletteList, optionId } from "./palette-list.tsx";
import { PaletteSearch } from "./palette-search.tsx";
import { useClosedBecause } from "./person-note.tsx";
import { useShell } from "./shell-context.ts";
import { usePauseRuns } from "./use-pause-runs.ts";
import { useFoundSessions } from "../../live/use-found-sessions.ts";

export function CommandPalette({ isOpen, sessions }: { isOpen: boolean; sessions: readonly Session[] }) {
  const { close } = useShell();
  return (
    <Dialog
      title="Command palette"
      bare
      isOpen={isOpen}
      onClose={close}
      className="mt-[12vh] w-[min(640px,calc(100vw-24px))] max-rail:mt-2"
    >
      <Palette recent={sessions} />
    </Dialog>
  );
}

/** Lives only while it is open, so each opening starts empty. */
function Palette({ recent }: { recent: readonly Session[] }) {
  const shell = useShell();
  const router = useRouter();
  const closedBecause = useClosedBecause();
  const { pause } = usePauseRuns();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const [onPage] = useState(() => shell.offered());
  const groups = paletteItems(query, useFoundSessions(query, recent), { members: useRoster(), onPage, isPaused: useIsPaused() });
  const items = groups.flatMap((group) => group.items);
  const current = items[Math.min(chosen, items.length - 1)];

  const run = (action: PaletteAction) => {
    shell.close();
    if (action.do === "go") router.push(action.href);
    if (action.do === "new-session") shell.open({ layer: "new-session", name: action.name });
    if (action.do === "new-job") shell.open({ layer: "new-job", draft: { description: action.description } });
    if (action.do === "add-member") whereOpen(closedBecause, () => shell.open({ layer: "add-member" }));
    if (action.do === "stop-everything") shell.open({ layer: "stop-everything" });
    if (action.do === "pause-runs") whereOpen(action.isWanted ? undefined : closedBecause, () => pause(action.isWanted));
    if (action.do === "show-keys") shell.open({ layer: "keys" });
    if (action.do === "switch-theme") switchTheme();
    // When the palette is closed focus goes back to where it was, which must not happen after a command moved it.
    if (action.do === "on-page") setTimeout(() => whereOpen(action.command.disabledBecause, action.command.run), 0);
  };
  const whereOpen = (disabledBecause: string | undefined, begin: () => void) => {
    if (disabledBecause === undefined) begin();
    else shell.say(disabledBecause, "blocked");
  };
  return (
    <>
      <PaletteSearch
        query={query}
        activeOption={current === undefined ? undefined : optionId(current)}
        onQuery={(text) => {
          setQuery(text);
          setChosen(0);
        }}
        onMove={(step) => setChosen((items.length + Math.min(chosen, items.length - 1) + step) % items.length)}
        onRun={() => current !== undefined && run(current.action)}
      />
      <PaletteList groups={groups} current={current} query={query} onRun={run} />
      <p className="mt-1.5 flex gap-3.5 border-t border-line px-4 py-[9px] text-xs text-ink-3 max-rail:hidden">
        <span>
          <Kbd>↑ ↓</Kbd> move
        </span>
        <span>
          <Kbd>Enter</Kbd> open
        </span>
        <span className="ml-auto">
          <Kbd>&gt;</Kbd> commands only
        </span>
      </p>
    </>
  );
}
