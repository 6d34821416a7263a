"use client";

import type { Member } from "../../../schema/roster.ts";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";

type RemoveMemberDialogProps = {
  member: Member;
  isOpen: boolean;
  isBusy: boolean;
  failure: string | null;
  onClose: () => void;
  onRemove: () => void;
};

export function RemoveMemberDialog({ member, isOpen, isBusy, failure, onClose, onRemove }: RemoveMemberDialogProps) {
  const footer = (
    <>
      <Button variant="ghost" className="ml-auto" data-first-focus onClick={onClose}>
        Keep it
      </Button>
      <Button variant="confirm" busy={isBusy} onClick={onRemove}>
        Remove member
      </Button>
    </>
  );
  return (
    <Dialog title="Remove this member?" isOpen={isOpen} onClose={onClose} footer={footer}>
      <div className="grid gap-2 px-5 pt-3 pb-5 [overflow-wrap:anywhere]">
        <p>
          <b>
            <bdi>{member.displayName}</bdi>
          </b>{" "}
          is stopped and leaves the Roster. Sessions that have it go on without its tools.
        </p>
        <p>
          Nothing is deleted: its folder moves from <code>guild-members/{member.folder}</code> to <code>removed-members/</code> in the
          hall’s home folder, with everything it has stored. Move it back to have the member again.
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
