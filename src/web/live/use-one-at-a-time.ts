import { useEffect, useRef } from "react";

/** An action that is under way is not begun again beside itself: whoever asks meanwhile gets one more run, after it. */
export function useOneAtATime(action: () => Promise<boolean>): () => Promise<boolean> {
  const runs = useRef<{ now: Promise<boolean>; next: Promise<boolean> | null } | null>(null);
  // The next run does what the action is by then, not what it was when somebody asked.
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });

  const run = async (): Promise<boolean> => {
    try {
      return await latest.current();
    } finally {
      if (runs.current?.next === null) runs.current = null;
    }
  };
  return () => {
    if (runs.current === null) {
      runs.current = { now: run(), next: null };
      return runs.current.now;
    }
    const current = runs.current;
    current.next ??= current.now.then(() => {
      runs.current = { now: run(), next: null };
      return runs.current.now;
    });
    return current.next;
  };
}
