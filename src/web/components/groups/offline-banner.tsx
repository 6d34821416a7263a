"use client";

import { useLive } from "../../live/live-provider.tsx";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";

/** Says that the hall is gone, for as long as it is. */
export function OfflineBanner() {
  const { state, retry } = useLive();
  return (
    <div role="status" className="fixed inset-x-0 top-(--top-h) z-10 mx-auto w-[min(720px,100%)] px-4 pt-2">
      {state === "offline" ? (
        <Banner
          title="The hall does not answer."
          action={
            <Button size="sm" onClick={retry}>
              Try now
            </Button>
          }
        >
          What was accepted is saved, nothing is lost. This page tries again by itself.
        </Banner>
      ) : null}
    </div>
  );
}
