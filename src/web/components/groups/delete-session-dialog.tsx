"use client";

import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { Confirmed } from "./confirm-dialog.tsx";

export const DeleteSessionDialog = ({ name, ...confirmed }: Confirmed & { name: string }) => (
  <ConfirmDialog {...confirmed} title="Delete this session?" keep="Keep it" confirm="Delete session">
    <p>
      <b>{name}</b>, its messages and the files in its folder are removed from the home folder. This cannot be undone.
    </p>
  </ConfirmDialog>
);
