"use client";

import type { Session } from "../../../schema/session.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

type CompleteSessionDialogProps = { session: Pick<Session, "id" | "name">; isOpen: boolean; onClose: () => void };

/** A session that is completed takes no more messages, so it is said before it is done. */
export function CompleteSessionDialog({ session, isOpen, onClose }: CompleteSessionDialogProps) {
  const { complete, isBusy, failure } = useSessionChanges(session.id);
  const onConfirm = () => void complete().then((isDone) => isDone && onClose());
  return (
    <ConfirmDialog
      {...{ isOpen, isBusy, failure, onClose, onConfirm }}
      title="Complete this session?"
      keep="Not yet"
      confirm="Complete session"
      isHarmless
    >
      <p>
        Say that the work of <b>{session.name}</b> is done. It stays on the Board with its messages and files, to be read and exported, and
        takes no more messages.
      </p>
    </ConfirmDialog>
  );
}
