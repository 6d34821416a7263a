import { useState } from "react";

/** Takes what a reading answers, unless another was begun after it. A failure is its caller's, also that of an older one. */
type TakeLatest = <Answer>(reading: Promise<Answer>, take: (answer: Answer) => void) => Promise<void>;

/** For what is read again whenever there is news of it. */
export function useLatestReading(): TakeLatest {
  const [takeLatest] = useState(createLatestReading);
  return takeLatest;
}

/** Of two readings the one that was begun later is right, whichever is answered first. */
export function createLatestReading(): TakeLatest {
  let latest = 0;
  return async (reading, take) => {
    latest += 1;
    const turn = latest;
    const answer = await reading;
    if (turn === latest) take(answer);
  };
}
