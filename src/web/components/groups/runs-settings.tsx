"use client";

import { Pause, Play, Square } from "lucide-react";
import type { RunsState } from "../../../schema/run.ts";
import { useIsPaused } from "../../live/runs-provider.tsx";
import { Button } from "../elements/button.tsx";
import { Facts } from "../elements/facts.tsx";
import { Icon } from "../elements/icon.tsx";
import { PersonNote, useClosedBecause } from "./person-note.tsx";
import { useShell } from "./shell-context.ts";
import { useHoldBack } from "./use-hold-back.ts";

/** What runs at this moment, and how to hold it back or end it. */
export function RunsSettings({ state: { atOnce, running, queued, resumesAtReset } }: { state: RunsState }) {
  const isPaused = useIsPaused();
  const { isBusy, hold } = useHoldBack();
  const { open } = useShell();
  const closedBecause = useClosedBecause();
  return (
    <div className="grid gap-4">
      <Facts
        of={[
          { label: "Use the model", value: `${running} of at most ${atOnce} at once` },
          { label: "Wait for a slot", value: queued },
          { label: "New work", value: isPaused ? "is held back" : "may run" },
          { label: "Usage limit", value: resumesAtReset ? resumes : fails },
        ]}
      />
      <p className="text-xs text-ink-3">
        Set <code>runs.atOnce</code> and <code>runs.resumeAtReset</code> in config.yaml in the home folder, and start the hall again.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Icon of={isPaused ? Play : Pause} className="size-[15px]" />}
          busy={isBusy}
          disabledBecause={isPaused ? closedBecause : undefined}
          onClick={() => hold(!isPaused)}
        >
          {isPaused ? "Let new work run" : "Hold back new work"}
        </Button>
        <Button
          variant="danger"
          icon={<Icon of={Square} className="size-[15px]" />}
          aria-haspopup="dialog"
          onClick={() => open({ layer: "stop-everything" })}
        >
          Stop everything…
        </Button>
      </div>
      {isPaused ? <PersonNote to="let new work run here" /> : null}
    </div>
  );
}

const resumes = "A run that reaches the model’s usage limit waits until it resets, at most 3 times, and then resumes.";
const fails = "A run that reaches the model’s usage limit ends.";
