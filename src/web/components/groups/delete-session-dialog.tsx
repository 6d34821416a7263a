"use client";

import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";

type DeleteSessionDialogProps = {
  name: string;
  isOpen: boolean;
  isBusy: boolean;
  failure: string | null;
  onClose: () => void;
  onDelete: () => void;
};

export function DeleteSessionDialog({ name, isOpen, isBusy, failure, onClose, onDelete }: DeleteSessionDialogProps) {
  const footer = (
    <>
      <Button variant="ghost" className="ml-auto" data-first-focus onClick={onClose}>
        Keep it
      </Button>
      <Button variant="confirm" busy={isBusy} onClick={onDelete}>
        Delete session
      </Button>
    </>
  );
  return (
    <Dialog title="Delete this session?" isOpen={isOpen} onClose={onClose} footer={footer}>
      <div className="grid gap-2 px-5 pt-3 pb-5">
        <p>
          <b>{name}</b>, its messages and the files in its folder are removed from the home folder. This cannot be undone.
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
