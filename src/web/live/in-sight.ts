import { useEffect } from "react";
import { useIsVisible } from "./use-is-visible.ts";

const name = "guild-hall-in-sight";

/** Lets the other tabs know that somebody looks at this one: they share a lock that only tabs in sight hold. */
export function useInSight(): void {
  const isVisible = useIsVisible();
  useEffect(() => {
    // Missing where the address is not secure; each tab then speaks for itself.
    const locks: LockManager | undefined = navigator.locks;
    if (!isVisible || locks === undefined) return;
    const leaving = new AbortController();
    const left = new Promise<void>((resolve) => leaving.signal.addEventListener("abort", () => resolve()));
    // Who leaves before the lock is given gave it up, and nobody is to be told of that.
    locks.request(name, { mode: "shared", signal: leaving.signal }, () => left).catch(() => undefined);
    return () => leaving.abort();
  }, [isVisible]);
}

/** Whether any tab of the hall is before somebody's eyes. */
export async function isAnyInSight(): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return document.visibilityState === "visible";
  const { held = [] } = await locks.query();
  return held.some((lock) => lock.name === name);
}
