import { useEffect } from "react";

/**
 * Next knows only the addresses it made itself, and writes its own over that of the page whenever it draws the page again. A
 * hash that somebody followed is told to it, so that it stays.
 */
export function useFollowedHash(): void {
  useEffect(() => {
    const onPopState = ({ state }: PopStateEvent) => {
      // An entry in the history that is Next's has a state; one that the browser made for a hash has none.
      if (state === null) history.replaceState(null, "", location.href);
    };
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, []);
}
