"use client";

import { useIsPaused } from "../../live/runs-provider.tsx";
import { usePauseRuns } from "./use-pause-runs.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { useClosedBecause } from "./person-note.tsx";

/** On every page for as long as new runs are paused. */
export function PausedBanner() {
  const isPaused = useIsPaused();
  const closedBecause = useClosedBecause();
  const { isBusy, pause } = usePauseRuns();
  return (
    <div role="status" className="px-4 py-2 empty:hidden">
      {isPaused ? (
        <Banner
          tone="warning"
          glyph="blocked"
          title="New runs are paused."
          action={
            <Button size="sm" busy={isBusy} disabledBecause={closedBecause} onClick={() => pause(false)}>
              Resume new runs
            </Button>
          }
        >
          Runs that have started continue. Messages that you send now wait, and nothing is lost.
        </Banner>
      ) : null}
    </div>
  );
}
