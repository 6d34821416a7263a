"use client";

import { Pause, Play, Square } from "lucide-react";
import type { RunsState } from "../../../schema/run.ts";
import { useIsPaused } from "../../live/runs-provider.tsx";
import { Button } from "../elements/button.tsx";
import { Facts } from "../elements/facts.tsx";
import { Icon } from "../elements/icon.tsx";
import { PersonNote, useClosedBecause } from "./person-note.tsx";
import { ResumeSwitch } from "./resume-switch.tsx";
import { useShell } from "./shell-context.ts";
import { usePauseRuns } from "./use-pause-runs.ts";

/** What runs at this moment, and the buttons that pause new runs or stop everything. */
export function RunsSettings({ state: { atOnce, running, queued, resumesAtReset } }: { state: RunsState }) {
  const isPaused = useIsPaused();
  const { isBusy, pause } = usePauseRuns();
  const { open } = useShell();
  const closedBecause = useClosedBecause();
  return (
    <div className="grid gap-4">
      <Facts
        of={[
          { label: "Use the model", value: `${running} of at most ${atOnce} at once` },
          { label: "Wait for a slot", value: queued },
          { label: "New runs", value: isPaused ? "are paused" : "start as usual" },
        ]}
      />
      <ResumeSwitch isOn={resumesAtReset} />
      <p className="text-xs text-ink-3">
        Set <code>runs.atOnce</code> in config.yaml in the home folder, and start the hall again.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Icon of={isPaused ? Play : Pause} className="size-[15px]" />}
          busy={isBusy}
          disabledBecause={isPaused ? closedBecause : undefined}
          onClick={() => pause(!isPaused)}
        >
          {isPaused ? "Resume new runs" : "Pause new runs"}
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
      {isPaused ? <PersonNote to="resume new runs here" /> : null}
    </div>
  );
}
