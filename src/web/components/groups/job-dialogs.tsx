"use client";

import { visibleText } from "../../format/visible-text.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { Confirmed } from "./confirm-dialog.tsx";

type JobDialogProps = Confirmed & { description: string };

export const CancelJobDialog = ({ description, ...confirmed }: JobDialogProps) => (
  <ConfirmDialog {...confirmed} title="Cancel this job?" keep="Keep running" confirm="Cancel job">
    <p>
      <b>{visibleText(description)}</b> is stopped where it is. What it has written so far is kept, and it can be dispatched again.
    </p>
  </ConfirmDialog>
);

export const DeleteJobDialog = ({ description, ...confirmed }: JobDialogProps) => (
  <ConfirmDialog {...confirmed} title="Delete this job?" keep="Keep it" confirm="Delete job">
    <p>
      <b>{visibleText(description)}</b>, its result, its files and all it noted are removed by its worker. This cannot be undone.
    </p>
  </ConfirmDialog>
);
