"use client";

import { useRouter } from "next/navigation";
import { useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import type { Session } from "../../../schema/session.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import { JobsProvider } from "../../live/jobs-provider.tsx";
import { LiveProvider } from "../../live/live-provider.tsx";
import type { MemberGlance } from "../../live/member-glance.ts";
import { PersonProvider } from "../../live/person-provider.tsx";
import { RosterProvider } from "../../live/roster-provider.tsx";
import { RunsProvider } from "../../live/runs-provider.tsx";
import { AddMemberDialog } from "./add-member-dialog.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { DispatchDialog } from "./dispatch-dialog.tsx";
import { JobNotices } from "./job-notices.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { NewSessionDialog } from "./new-session-dialog.tsx";
import type { PageCommand } from "./page-command.ts";
import { ShellContext } from "./shell-context.ts";
import type { Layer, Shell as ShellActions } from "./shell-context.ts";
import { StopEverythingDialog } from "./stop-everything-dialog.tsx";
import { ToastRegion } from "./toast-region.tsx";
import type { Said } from "./toast-region.tsx";

type ShellProps = {
  drawnAt: string | null;
  /** New runs are paused. */
  isPaused: boolean;
  isPerson: boolean;
  sessions: readonly Session[];
  members: readonly MemberGlance[];
  model: ModelInfo;
  children: ReactNode;
};

/** What every page has around it that acts: the live stream, the Roster, the hotkeys, and the layers above the page. */
export function Shell({ drawnAt, isPaused, isPerson, sessions, members, model, children }: ShellProps) {
  const router = useRouter();
  const [layer, setLayer] = useState<Layer | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const offers = useRef(new Set<() => readonly PageCommand[]>());
  const shell = useMemo<ShellActions>(
    () => ({
      offer: (commands) => {
        offers.current.add(commands);
        return () => void offers.current.delete(commands);
      },
      offered: () => [...offers.current].flatMap((commands) => commands()),
      open: setLayer,
      close: () => setLayer(null),
      say: (sentence, status = "completed") => setSaid((before) => ({ id: (before?.id ?? 0) + 1, sentence, status })),
    }),
    [],
  );
  useHotkeys({
    "Mod K": () => shell.open({ layer: "palette" }),
    "?": () => shell.open({ layer: "keys" }),
    N: () => shell.open({ layer: "new-session", name: "" }),
    J: () => shell.open({ layer: "new-job" }),
    "G H": () => router.push("/"),
    "G J": () => router.push("/jobs"),
    "G R": () => router.push("/roster"),
    "G S": () => router.push("/settings"),
  });
  return (
    <LiveProvider drawnAt={drawnAt}>
      <PersonProvider isPerson={isPerson}>
        <RosterProvider initial={members}>
          <RunsProvider isPaused={isPaused}>
            <ShellContext value={shell}>
              <JobsProvider>{children}</JobsProvider>
              <JobNotices />
              <CommandPalette isOpen={layer?.layer === "palette"} sessions={sessions} />
              <NewSessionDialog
                isOpen={layer?.layer === "new-session"}
                name={layer?.layer === "new-session" ? layer.name : ""}
                model={model}
              />
              <DispatchDialog isOpen={layer?.layer === "new-job"} draft={layer?.layer === "new-job" ? layer.draft : undefined} />
              <AddMemberDialog isOpen={layer?.layer === "add-member"} />
              <StopEverythingDialog isOpen={layer?.layer === "stop-everything"} />
              <KeysDialog isOpen={layer?.layer === "keys"} />
              <ToastRegion said={said} onDone={() => setSaid(null)} />
            </ShellContext>
          </RunsProvider>
        </RosterProvider>
      </PersonProvider>
    </LiveProvider>
  );
}
