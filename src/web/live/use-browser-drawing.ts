import { startTransition, useEffect, useState, useSyncExternalStore } from "react";

/**
 * False on the server and while its page comes to life in the browser, then true. What is costly to draw is drawn only then: on the
 * server it would hold up every other request. With `isLong`, it is false at first in the browser too: the costly rendering is then one
 * that React interrupts, and drops if the reader has scrolled on.
 */
export function useBrowserDrawing({ isLong = false } = {}): boolean {
  const isInBrowser = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const [isLongDrawn, setIsLongDrawn] = useState(false);
  // A deferred value would do the same, but React drops the deferred rendering of all messages where one of them fails.
  useEffect(() => startTransition(() => setIsLongDrawn(true)), []);
  return isInBrowser && (isLongDrawn || !isLong);
}

const neverChanges = () => () => undefined;
