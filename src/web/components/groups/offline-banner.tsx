"use client";

import { useEffect } from "react";
import { useLive } from "../../live/live-provider.tsx";
import { Banner } from "../elements/banner.tsx";
import { Button } from "../elements/button.tsx";

/** Says that the hall is gone, for as long as it is, and keeps the reader on the page that is still here. */
export function OfflineBanner() {
  const { state, retry } = useLive();
  useEffect(() => {
    if (state !== "offline") return;
    document.addEventListener("click", holdBack, { capture: true });
    return () => document.removeEventListener("click", holdBack, { capture: true });
  }, [state]);
  return (
    <div role="status" data-live={state} className="px-4 py-2 empty:hidden">
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

/** A link followed now would end on the browser's error page. */
function holdBack(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isHere = link?.pathname === location.pathname && link.hash !== "";
  if (link !== null && link.origin === location.origin && !isHere) event.preventDefault();
}
