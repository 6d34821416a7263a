import { useState } from "react";

/**
 * Whether something is under way that was begun here. Not a transition of React: those end together, so that no other page
 * could be gone to before the hall has answered.
 */
export function useBusy(): [isBusy: boolean, begin: (work: () => Promise<void>) => void] {
  const [underWay, setUnderWay] = useState(0);
  const begin = (work: () => Promise<void>) => {
    setUnderWay((before) => before + 1);
    void work().finally(() => setUnderWay((before) => before - 1));
  };
  return [underWay > 0, begin];
}
