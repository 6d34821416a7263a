import { useEffect, useEffectEvent, useRef, useState } from "react";
import { largestPage } from "./use-linked-message.ts";

type History = {
  /** How much of it has been read. */
  count: number;
  hasEarlier: boolean;
  onEarlier: (limit?: number) => Promise<boolean>;
  onReached: () => void;
};

/** Leads to the very beginning: earlier messages are read until there are none, the hall does not answer, or somebody goes elsewhere. */
export function useHistoryStart({ count, hasEarlier, onEarlier, onReached }: History) {
  const [isSeeking, setIsSeeking] = useState(false);
  const wasSeeking = useRef(false);
  if (isSeeking && !hasEarlier) setIsSeeking(false);

  const goOn = useEffectEvent(() => {
    if (isSeeking) void onEarlier(largestPage).then((isRead) => isRead || setIsSeeking(false));
    else if (wasSeeking.current && !hasEarlier) onReached();
    wasSeeking.current = isSeeking;
  });
  useEffect(() => goOn(), [isSeeking, count]);
  return { isSeeking, seek: () => setIsSeeking(true), leave: () => setIsSeeking(false) };
}
