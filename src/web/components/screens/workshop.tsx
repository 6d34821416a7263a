"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { ModelInfo } from "../../../schema/health.ts";
import type { WaitingFor } from "../../../schema/run.ts";
import type { Session, SessionDetail } from "../../../schema/session.ts";
import { wordsForWaiting } from "../../../schema/waiting-words.ts";
import { waitsForPerson } from "../../format/waits-for-person.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import { notify } from "../../live/run-notifications.ts";
import { useArtifacts } from "../../live/use-artifacts.ts";
import { useLookedAt } from "../../live/use-looked-at.ts";
import { useRunEnd } from "../../live/use-run-end.ts";
import { useSession } from "../../live/use-session.ts";
import { useSidePanel } from "../../live/use-side-panel.ts";
import { useTitleMark } from "../../live/use-title-mark.ts";
import { Announcer } from "../groups/announcer.tsx";
import { DeleteSessionDialog } from "../groups/delete-session-dialog.tsx";
import type { PageCommand } from "../groups/page-command.ts";
import { usePageCommands } from "../groups/use-page-commands.ts";
import { SessionHead } from "../groups/session-head.tsx";
import { SessionPanel } from "../groups/session-panel.tsx";
import { SessionPanelTabs } from "../groups/session-panel-tabs.tsx";
import { sessionStatus } from "../groups/session-status.ts";
import { SessionTalk } from "../groups/session-talk.tsx";
import { useShell } from "../groups/shell-context.ts";
import { SuggestedName } from "../groups/suggested-name.tsx";

/** One session: its conversation as it happens, and where to go on with it. */
export function Workshop({ detail, model }: { detail: SessionDetail; model: ModelInfo }) {
  const handle = useSession(detail);
  useLookedAt(detail.session.id);
  const { session, messages } = handle;
  const isRunning = session.status === "running";
  const [isStopping, setIsStopping] = useState(false);
  const [isDeleting, setIsDeleting] = useState<"no" | "asked" | "busy">("no");
  const panel = useSidePanel();
  const artifacts = useArtifacts(session.id);
  const shell = useShell();
  const router = useRouter();
  const outOfSight = useRunEnd(session.id, isRunning, (now) => notify(now.id, now.name, newsOf(now)));
  useTitleMark(outOfSight === null ? (isRunning ? workMark(session.waitingFor) : null) : endMark(outOfSight));

  const stop = async () => {
    if (!isRunning || isStopping) return;
    setIsStopping(true);
    await handle.stop();
    setIsStopping(false);
  };
  const remove = async () => {
    setIsDeleting("busy");
    if (!(await handle.remove())) return setIsDeleting("asked");
    shell.say(`${session.name} is deleted.`, "cancelled");
    router.push("/");
  };
  const write = () => {
    // On a small screen another part may be in its place, and what is hidden takes no focus.
    flushSync(() => panel.show("talk"));
    document.querySelector<HTMLElement>("main textarea[aria-label=Message]")?.focus();
  };
  useHotkeys({ Escape: () => void stop(), O: toggleRow, M: write, ...panel.hotkeys });
  usePageCommands([
    { id: "write", kind: "write", label: "Write a message", hotkey: "M", run: write },
    ...(isRunning ? [stopCommand(() => void stop())] : []),
    { id: "panel", kind: "panel", label: "Show or hide the panel", hotkey: "[", run: panel.toggle },
  ]);

  return (
    <main id="main" tabIndex={-1} className={`flex min-h-0 min-w-0 flex-col outline-0 [grid-area:main] ${panel.isShown ? beside : alone}`}>
      <div className={`flex min-h-0 min-w-0 flex-col ${panel.part === "talk" ? "max-column:flex-1" : ""}`}>
        <SessionHead
          session={session}
          isStopping={isStopping}
          isPanelShown={panel.isShown}
          onStop={() => void stop()}
          onDelete={() => setIsDeleting("asked")}
          onPanel={panel.toggle}
        />
        <SuggestedName session={session} first={handle.hasEarlier ? undefined : messages[0]} isFresh={detail.messages.length === 0} />
        <SessionPanelTabs panel={panel} members={session.members.length} artifacts={artifacts.list?.artifacts.length} />
        <SessionTalk handle={handle} model={model} isShown={panel.part === "talk"} isFresh={detail.messages.length === 0} />
        <Announcer
          messages={messages}
          isRunning={isRunning}
          waitingFor={session.waitingFor}
          nearLimits={handle.nearLimits}
          trouble={session.error?.message}
        />
      </div>
      <SessionPanel session={session} model={model} panel={panel} artifacts={artifacts} />
      <DeleteSessionDialog
        name={session.name}
        isOpen={isDeleting !== "no"}
        isBusy={isDeleting === "busy"}
        failure={handle.failure?.message ?? null}
        onClose={() => setIsDeleting("no")}
        onConfirm={() => void remove()}
      />
    </main>
  );
}

/** What a tab says of a run that ended, or began to wait for the person, while it was out of sight. */
function endMark(session: Session): string {
  if (session.status === "running") return workMark(session.waitingFor);
  return session.error === null ? "Done" : sessionStatus(session).word;
}

function newsOf({ waitingFor, error }: Session): string {
  if (waitingFor !== null) return wordsForWaiting(waitingFor);
  return error?.message ?? "The answer is complete.";
}

/** What a tab says of a run that goes on. */
function workMark(waitingFor: WaitingFor | null): string {
  if (waitingFor === null) return "Running";
  return waitsForPerson(waitingFor) ? "Waits for you" : "Waiting";
}

const stopCommand = (run: () => void): PageCommand => ({ id: "stop", kind: "stop", label: "Stop the run", hotkey: "Esc", run });

const alone = "column:grid column:grid-cols-[minmax(0,1fr)]";
const beside = "column:grid column:grid-cols-[minmax(0,1fr)_300px] wide:grid-cols-[minmax(0,1fr)_var(--panel-w)]";

function toggleRow(): void {
  const row = document.activeElement?.closest("summary")?.parentElement;
  if (row instanceof HTMLDetailsElement) row.open = !row.open;
}
