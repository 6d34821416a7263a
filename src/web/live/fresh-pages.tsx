"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useHallNews } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

/** News that come together cost one reading. */
const gatherMs = 120;

/** Has the server draw the page again when something changed. A tab out of sight waits until it is looked at. */
export function FreshPages() {
  const router = useRouter();
  const isVisible = useIsVisible();
  const [isStale, setIsStale] = useState(false);

  useHallNews((news) => {
    if (news.news !== "offline") setIsStale(true);
  });
  useEffect(() => {
    if (!isVisible || !isStale) return;
    const timer = setTimeout(() => {
      setIsStale(false);
      router.refresh();
    }, gatherMs);
    return () => clearTimeout(timer);
  }, [isVisible, isStale, router]);
  return null;
}
