import { useEffect, useEffectEvent, useRef } from "react";
import { createGathered } from "./gathered.ts";
import type { Gathered } from "./gathered.ts";

/** Answers what to call when something changed. Not kept as state of the page: what changes before that is drawn would be lost. */
export function useGathered(work: () => void, { ms, isWanted }: { ms: number; isWanted: boolean }): () => void {
  const gathered = useRef<Gathered>(null);
  const run = useEffectEvent(work);
  useEffect(() => {
    const opened = createGathered(() => run(), ms);
    gathered.current = opened;
    return () => opened.close();
  }, [ms]);
  useEffect(() => gathered.current?.setWanted(isWanted), [ms, isWanted]);
  return () => gathered.current?.note();
}
