"use client";

import { useState } from "react";
import { sentenceOf } from "../../format/sentence-of.ts";
import { setResumesAtReset } from "../../live/control-runs.ts";
import { useBusy } from "../../live/use-busy.ts";
import { Switch } from "../elements/switch.tsx";
import { useClosedBecause } from "./person-note.tsx";
import { useShell } from "./shell-context.ts";

/** Whether runs that reach the model's usage limit resume by themselves. */
export function ResumeSwitch({ isOn: wasOn }: { isOn: boolean }) {
  const { say } = useShell();
  const [isBusy, begin] = useBusy();
  const [isOn, setIsOn] = useState(wasOn);
  const closedBecause = useClosedBecause();
  const turn = (isWanted: boolean) =>
    begin(async () => {
      try {
        await setResumesAtReset(isWanted);
        setIsOn(isWanted);
      } catch (failure) {
        say(sentenceOf(failure, "act"), "failed");
      }
    });
  return (
    <Switch
      checked={isOn}
      disabled={isBusy || closedBecause !== undefined}
      title={closedBecause}
      onChange={(event) => turn(event.target.checked)}
    >
      Resume by itself when the model’s usage limit resets, at most 3 times a run. Otherwise a run that reaches the limit ends.
    </Switch>
  );
}
