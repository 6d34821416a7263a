"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import type { SessionDetail } from "../../../schema/session.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import { useLookedAt } from "../../live/use-looked-at.ts";
import { useSession } from "../../live/use-session.ts";
import { useSidePanel } from "../../live/use-side-panel.ts";
import type { SidePart } from "../../live/use-side-panel.ts";
import { Button } from "../elements/button.tsx";
import { Segment } from "../elements/segment.tsx";
import type { SegmentOption } from "../elements/segment.tsx";
import { Announcer } from "../groups/announcer.tsx";
import { Composer } from "../groups/composer.tsx";
import { Conversation } from "../groups/conversation.tsx";
import { DeleteSessionDialog } from "../groups/delete-session-dialog.tsx";
import { SessionHead } from "../groups/session-head.tsx";
import { SessionMembers } from "../groups/session-members.tsx";
import { SessionTools } from "../groups/session-tools.tsx";
import { SessionNotices } from "../groups/session-notices.tsx";
import { DemoSuggestions } from "../groups/demo-suggestions.tsx";
import { useShell } from "../groups/shell-context.ts";

/** One session: its conversation as it happens, and where to go on with it. */
export function Workshop({ detail, model }: { detail: SessionDetail; model: ModelInfo }) {
  const handle = useSession(detail);
  useLookedAt(detail.session.id);
  const { session, messages } = handle;
  const isRunning = session.status === "running";
  const [isStopping, setIsStopping] = useState(false);
  const [isDeleting, setIsDeleting] = useState<"no" | "asked" | "busy">("no");
  const panel = useSidePanel();
  const isTalk = panel.part === "talk";
  const shell = useShell();
  const router = useRouter();

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
  useHotkeys({ Escape: () => void stop(), O: toggleRow, "[": panel.toggle, "]": panel.toggle });

  return (
    <main id="main" tabIndex={-1} className={`flex min-h-0 min-w-0 flex-col outline-0 [grid-area:main] ${panel.isShown ? beside : alone}`}>
      <div className={`flex min-h-0 min-w-0 flex-col ${isTalk ? "max-column:flex-1" : ""}`}>
        <SessionHead
          session={session}
          messageCount={messages.length}
          isStopping={isStopping}
          isPanelShown={panel.isShown}
          onStop={() => void stop()}
          onDelete={() => setIsDeleting("asked")}
          onPanel={panel.toggle}
        />
        <div className="border-b border-line px-6 py-1.5 max-rail:px-4 column:hidden">
          <Segment label="Session parts" options={partsOf(session.members.length)} value={panel.part} onChange={panel.show} />
        </div>
        <div className={`flex min-h-0 min-w-0 flex-1 flex-col ${isTalk ? "" : "max-column:hidden"}`}>
          <Conversation
            messages={messages}
            model={model}
            isRunning={isRunning}
            top={
              <>
                {handle.hasEarlier ? <EarlierButton onPress={() => void handle.readEarlier()} /> : null}
                {messages.length === 0 && model.backend === "demo" ? <DemoSuggestions onSend={(text) => void handle.send(text)} /> : null}
              </>
            }
            bottom={<SessionNotices handle={handle} model={model} />}
          />
          <Announcer messages={messages} isRunning={isRunning} trouble={session.error?.message} />
          <Composer
            sessionId={session.id}
            closedBecause={closedBecause(handle)}
            takesFocus={detail.messages.length === 0}
            aside={<SessionTools names={session.members} />}
            onSend={handle.send}
          />
        </div>
      </div>
      <aside
        aria-label="Session"
        className={`min-h-0 min-w-0 overflow-y-auto border-line max-column:flex-1 column:border-l ${isTalk ? "max-column:hidden" : ""} ${panel.isShown ? "" : "column:hidden"}`}
      >
        <SessionMembers names={session.members} />
      </aside>
      <DeleteSessionDialog
        name={session.name}
        isOpen={isDeleting !== "no"}
        isBusy={isDeleting === "busy"}
        failure={handle.failure}
        onClose={() => setIsDeleting("no")}
        onDelete={() => void remove()}
      />
    </main>
  );
}

const alone = "column:grid column:grid-cols-[minmax(0,1fr)]";
const beside = "column:grid column:grid-cols-[minmax(0,1fr)_300px] wide:grid-cols-[minmax(0,1fr)_var(--panel-w)]";

const partsOf = (members: number): SegmentOption<SidePart>[] => [
  { value: "talk", label: "Conversation" },
  { value: "members", label: "Members", count: members },
];

const EarlierButton = ({ onPress }: { onPress: () => void }) => (
  <div className="mx-auto mb-4 max-w-[780px] text-center">
    <Button size="sm" onClick={onPress}>
      Show earlier messages
    </Button>
  </div>
);

function closedBecause({ session, isGone }: Pick<ReturnType<typeof useSession>, "session" | "isGone">): string | undefined {
  if (isGone) return "This session was deleted.";
  switch (session.status) {
    case "running":
      return "It is answering. Wait, or stop it first.";
    case "completed":
      return "This session is completed.";
    case "expired":
      return "The model no longer remembers this conversation.";
    case "error":
      return "This session's folder cannot be used.";
    case "idle":
      return undefined;
  }
}

function toggleRow(): void {
  const row = document.activeElement?.closest("summary")?.parentElement;
  if (row instanceof HTMLDetailsElement) row.open = !row.open;
}
