import { useEffect } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import { useLive } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

/**
 * Tells the hall that this session is before somebody's eyes, so that it gets ready for the next message. Only the tab
 * looked at last does: each takes the lock from the one before, because a browser has few connections to give.
 */
export function useLookedAt(open: SessionId): void {
  const isVisible = useIsVisible();
  const isOnline = useLive().state === "online";

  useEffect(() => {
    // Missing where the address is not secure; the hall is slower to answer then, and no more.
    const locks: LockManager | undefined = navigator.locks;
    if (!isVisible || !isOnline || locks === undefined) return;
    const leaving = new AbortController();
    const look = async () => {
      for await (const _news of createHallClient({ baseUrl: "" }).events({ open, signal: leaving.signal }));
    };
    // It fails when another tab takes the lock or the hall goes away; either way there is nothing left to hold open.
    locks.request("guild-hall-open", { steal: true }, look).catch(() => leaving.abort());
    return () => leaving.abort();
  }, [open, isVisible, isOnline]);
}
