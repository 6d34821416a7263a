"use client";

import type { ReactNode } from "react";
import { visibleText } from "../../format/visible-text.ts";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../elements/dialog.tsx";

type JobDialogProps = {
  description: string;
  isOpen: boolean;
  isBusy: boolean;
  failure: string | null;
  onClose: () => void;
  onConfirm: () => void;
};

export const CancelJobDialog = (props: JobDialogProps) => (
  <ConfirmDialog {...props} title="Cancel this job?" keep="Let it run" confirm="Cancel job">
    <b>{visibleText(props.description)}</b> is stopped where it is. What it has written so far is kept, and it can be dispatched again.
  </ConfirmDialog>
);

export const DeleteJobDialog = (props: JobDialogProps) => (
  <ConfirmDialog {...props} title="Delete this job?" keep="Keep it" confirm="Delete job">
    <b>{visibleText(props.description)}</b>, its result, its files and all it noted are removed by its worker. This cannot be undone.
  </ConfirmDialog>
);

type ConfirmDialogProps = JobDialogProps & { title: string; keep: string; confirm: string; children: ReactNode };

function ConfirmDialog({ title, keep, confirm, isOpen, isBusy, failure, onClose, onConfirm, children }: ConfirmDialogProps) {
  const footer = (
    <>
      <Button variant="ghost" className="ml-auto" data-first-focus onClick={onClose}>
        {keep}
      </Button>
      <Button variant="confirm" busy={isBusy} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} footer={footer}>
      <div className="grid gap-2 px-5 pt-3 pb-5 [overflow-wrap:anywhere]">
        <p>{children}</p>
        {failure === null ? null : (
          <p role="alert" className="text-err">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}
