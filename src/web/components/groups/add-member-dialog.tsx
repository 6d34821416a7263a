"use client";

import { Dialog } from "../elements/dialog.tsx";
import { useShell } from "./shell-context.ts";

export function AddMemberDialog({ isOpen }: { isOpen: boolean }) {
  const { close } = useShell();
  return (
    <Dialog title="Add member" isOpen={isOpen} onClose={close}>
      <p />
    </Dialog>
  );
}
