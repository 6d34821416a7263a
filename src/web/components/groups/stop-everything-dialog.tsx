"use client";

import { useState } from "react";
import { sentenceOf } from "../../format/sentence-of.ts";
import { stopEverything } from "../../live/control-runs.ts";
import { useBusy } from "../../live/use-busy.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useShell } from "./shell-context.ts";

export function StopEverythingDialog({ isOpen }: { isOpen: boolean }) {
  const { say, close } = useShell();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, begin] = useBusy();
  const leave = () => {
    setFailure(null);
    close();
  };
  const confirm = () =>
    begin(async () => {
      try {
        const done = await stopEverything();
        leave();
        say(done, "cancelled");
      } catch (error) {
        setFailure(sentenceOf(error, "act"));
      }
    });
  return (
    <ConfirmDialog
      title="Stop everything?"
      keep="Keep running"
      confirm="Stop everything"
      isOpen={isOpen}
      isBusy={isBusy}
      failure={failure}
      onClose={leave}
      onConfirm={confirm}
    >
      <p>
        Every answer and every job of this hall ends now. Runs that wait for a slot end too. What was said and written so far is saved.
        Messages queued behind an answer stay unsent.
      </p>
    </ConfirmDialog>
  );
}
