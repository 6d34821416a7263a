"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ModelInfo } from "../../../schema/health.ts";
import type { SessionDetail } from "../../../schema/session.ts";
import { useHotkeys } from "../../live/hotkeys.ts";
import { useLookedAt } from "../../live/use-looked-at.ts";
import { useSession } from "../../live/use-session.ts";
import { Button } from "../elements/button.tsx";
import { Announcer } from "../groups/announcer.tsx";
import { Composer } from "../groups/composer.tsx";
import { Conversation } from "../groups/conversation.tsx";
import { DeleteSessionDialog } from "../groups/delete-session-dialog.tsx";
import { SessionHead } from "../groups/session-head.tsx";
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
  useHotkeys({ Escape: () => void stop(), O: toggleRow });

  return (
    <main id="main" tabIndex={-1} className="flex min-h-0 min-w-0 flex-col outline-0 [grid-area:main]">
      <SessionHead
        session={session}
        messageCount={messages.length}
        isStopping={isStopping}
        onStop={() => void stop()}
        onDelete={() => setIsDeleting("asked")}
      />
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
        onSend={handle.send}
      />
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
