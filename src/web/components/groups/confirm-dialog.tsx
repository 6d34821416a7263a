"use client";

import type { ReactNode } from "react";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";

export type Confirmed = {
  isOpen: boolean;
  isBusy: boolean;
  /** Why it was not done when it was confirmed. */
  failure: string | null;
  onClose: () => void;
  onConfirm: () => void;
};

type ConfirmDialogProps = Confirmed & {
  title: string;
  keep: string;
  confirm: string;
  /** What is not lost need not be guarded: Enter does it. */
  isHarmless?: true;
  children: ReactNode;
};

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog({
  title,
  keep,
  confirm,
  isHarmless,
  isOpen,
  isBusy,
  failure,
  onClose,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const footer = (
    <>
      <Button variant="ghost" className="ml-auto" data-first-focus={isHarmless === undefined ? true : undefined} onClick={onClose}>
        {keep}
      </Button>
      <Button variant={isHarmless ? "primary" : "confirm"} data-first-focus={isHarmless} busy={isBusy} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} footer={footer}>
      <div className="grid gap-2 px-5 pt-3 pb-5 [overflow-wrap:anywhere]">
        {children}
        {failure === null ? null : (
          <p role="alert" className="text-err">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}
