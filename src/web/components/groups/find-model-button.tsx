"use client";

import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { sentenceOf } from "../../format/sentence-of.ts";
import { findModel } from "../../live/find-model.ts";
import { useBusy } from "../../live/use-busy.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { useShell } from "./shell-context.ts";

/** Has the hall look for credentials again, without a restart, and says what it found. */
export function FindModelButton() {
  const { say } = useShell();
  const router = useRouter();
  const [isBusy, begin] = useBusy();
  const find = () =>
    begin(async () => {
      try {
        const model = await findModel();
        if (model.backend === "demo") say("No key was found. The demo model goes on answering.", "idle");
        else say(model.detail);
        router.refresh();
      } catch (failure) {
        say(sentenceOf(failure, "act"), "failed");
      }
    });
  return (
    <Button icon={<Icon of={RotateCcw} className="size-[15px]" />} busy={isBusy} onClick={find}>
      Check for a key again
    </Button>
  );
}
