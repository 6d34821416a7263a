"use client";

import { useIsPaused } from "../../live/runs-provider.tsx";
import { useHoldBack } from "./use-hold-back.ts";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";
import { useClosedBecause } from "./person-note.tsx";

/** On every page for as long as new work is held back. */
export function PausedBanner() {
  const isPaused = useIsPaused();
  const closedBecause = useClosedBecause();
  const { isBusy, hold } = useHoldBack();
  return (
    <div role="status" className="px-4 py-2 empty:hidden">
      {isPaused ? (
        <Banner
          tone="warning"
          glyph="blocked"
          title="New work is held back."
          action={
            <Button size="sm" busy={isBusy} disabledBecause={closedBecause} onClick={() => hold(false)}>
              Let it run
            </Button>
          }
        >
          What has begun continues. Messages that you send now wait, and nothing is lost.
        </Banner>
      ) : null}
    </div>
  );
}
