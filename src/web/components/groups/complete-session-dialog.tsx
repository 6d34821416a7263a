"use client";

import type { Session } from "../../../schema/session.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";

type CompleteSessionDialogProps = { session: Pick<Session, "id" | "name">; isOpen: boolean; onClose: () => void };

/** A session that is completed takes no more messages, so it is said before it is done. */
export function CompleteSessionDialog({ session, isOpen, onClose }: CompleteSessionDialogProps) {
  const { complete, isBusy, failure } = useSessionChanges(session.id);
  const footer = (
    <>
      <Button variant="ghost" className="ml-auto" onClick={onClose}>
        Not yet
      </Button>
      <Button variant="primary" data-first-focus busy={isBusy} onClick={() => void complete().then((isDone) => isDone && onClose())}>
        Complete session
      </Button>
    </>
  );
  return (
    <Dialog title="Complete this session?" isOpen={isOpen} onClose={onClose} footer={footer}>
      <div className="grid gap-2 px-5 pt-3 pb-5">
        <p>
          Say that the work of <b>{session.name}</b> is done. It stays on the Board with its messages and files, to be read and exported,
          and takes no more messages.
        </p>
        {failure === null ? null : (
          <p role="alert" className="text-err">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}
