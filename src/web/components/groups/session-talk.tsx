"use client";

import type { ModelInfo } from "../../../schema/health.ts";
import type { MessageId } from "../../../schema/ids.ts";
import { withAttached } from "../../format/artifact-name.ts";
import { useAttach } from "../../live/use-attach.ts";
import { useDraft } from "../../live/use-draft.ts";
import { useEditing } from "../../live/use-editing.ts";
import { useFileDrop } from "../../live/use-file-drop.ts";
import type { SessionHandle } from "../../live/use-session.ts";
import { askedLast } from "../../live/session-view.ts";
import { AttachButton } from "./attach-button.tsx";
import { AttachUploads } from "./attach-uploads.tsx";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { DemoSuggestions } from "./demo-suggestions.tsx";
import { DropTarget } from "./drop-target.tsx";
import { EditingNote } from "./editing-note.tsx";
import { MessageQueue } from "./message-queue.tsx";
import { NotifySwitch } from "./notify-switch.tsx";
import { SessionNotices } from "./session-notices.tsx";
import { SessionTools } from "./session-tools.tsx";
import { textOf } from "./text-said.ts";
import { UnreadNotes } from "./unread-notes.tsx";
import { WaitContext } from "./wait-context.ts";

type SessionTalkProps = {
  handle: SessionHandle;
  model: ModelInfo;
  /** Where there is one column, only one part of a session is in it. */
  isShown: boolean;
  /** Nothing has been said yet. */
  isFresh: boolean;
};

/** What was said in a session, and where the next thing is said. */
export function SessionTalk({ handle, model, isShown, isFresh }: SessionTalkProps) {
  const { session, messages, queued, notes } = handle;
  const isRunning = session.status === "running";
  const editing = useEditing(session.id);
  const [draft, setDraft] = useDraft(session.id);
  const attaching = useAttach(session.id, (path) => setDraft(withAttached(draft, path)));
  const isDraggedOver = useFileDrop(attaching.add);

  const edit = (id: MessageId) => {
    const message = messages.find((each) => each.id === id);
    if (message !== undefined) editing.begin(textOf(message));
  };
  const send = async (text: string) => {
    const isAccepted = await handle.send(text);
    if (isAccepted && editing.isEditing) editing.end();
    return isAccepted;
  };
  return (
    <div className={`relative flex min-h-0 min-w-0 flex-1 flex-col ${isShown ? "" : "max-column:hidden"}`}>
      <WaitContext value={session.waitingFor}>
        <Conversation
          messages={messages}
          model={model}
          isRunning={isRunning}
          hasEarlier={handle.hasEarlier}
          top={
            messages.length === 0 && model.backend === "demo" ? (
              <DemoSuggestions sending={handle.pressed} onSend={(word) => void handle.sendOnce(word)} />
            ) : null
          }
          bottom={
            <>
              <UnreadNotes notes={notes} model={model} onRemove={handle.unqueue} />
              <SessionNotices handle={handle} model={model} />
            </>
          }
          editable={session.status === "idle" ? askedLast(messages) : undefined}
          onEdit={edit}
          onEarlier={handle.readEarlier}
        />
      </WaitContext>
      <Composer
        sessionId={session.id}
        closedBecause={closedBecause(handle)}
        isBusy={isRunning}
        takesFocus={isFresh || editing.isEditing}
        above={
          <>
            <MessageQueue messages={queued} isHeld={!isRunning} onRemove={handle.unqueue} onSend={handle.sendNext} />
            {editing.isEditing ? <EditingNote onCancel={editing.end} /> : null}
          </>
        }
        aside={
          <>
            <AttachButton attaching={attaching} />
            <SessionTools names={session.members} />
            <NotifySwitch />
          </>
        }
        uploads={<AttachUploads attaching={attaching} />}
        onFiles={attaching.add}
        onSend={send}
        onNote={isRunning ? handle.sendNote : undefined}
      />
      {isDraggedOver ? <DropTarget /> : null}
    </div>
  );
}

function closedBecause({ session, isGone }: Pick<SessionHandle, "session" | "isGone">): string | undefined {
  if (isGone) return "This session was deleted.";
  switch (session.status) {
    case "completed":
      return "This session is completed.";
    case "expired":
      return "The model no longer remembers this conversation. Renew it first.";
    case "error":
      return "This session's folder cannot be used.";
    case "running":
    case "idle":
      return undefined;
  }
}
