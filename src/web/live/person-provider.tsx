"use client";

import { useRouter } from "next/navigation";
import { createContext, use, useEffect } from "react";
import type { ReactNode } from "react";

const PersonContext = createContext(true);

/** Whether this browser has the person's cookie, so that it may change members, limits and settings. */
export const useIsPerson = (): boolean => use(PersonContext);

export function PersonProvider({ isPerson, children }: { isPerson: boolean; children: ReactNode }) {
  const router = useRouter();
  // The cookie may have come in another tab since this page was drawn.
  useEffect(() => {
    if (isPerson) return;
    const onReturn = () => document.visibilityState === "visible" && router.refresh();
    document.addEventListener("visibilitychange", onReturn);
    return () => document.removeEventListener("visibilitychange", onReturn);
  }, [isPerson, router]);
  return <PersonContext value={isPerson}>{children}</PersonContext>;
}
