import { useCallback, useEffect, useRef } from "react";

/**
 * Does something now, or, while a button of the mouse or a finger is down, once it is up. What makes the page move in the
 * middle of a press would take the click away from what was pressed.
 */
export function useAfterPress(): (action: () => void) => void {
  const press = useRef({ isDown: false, waiting: [] as (() => void)[] });
  useEffect(() => {
    const onDown = () => {
      press.current.isDown = true;
    };
    const onUp = () => {
      press.current.isDown = false;
      // The click comes in the same task as the release, after it.
      setTimeout(() => {
        for (const action of press.current.waiting.splice(0)) action();
      }, 0);
    };
    const options = { capture: true };
    window.addEventListener("pointerdown", onDown, options);
    window.addEventListener("pointerup", onUp, options);
    window.addEventListener("pointercancel", onUp, options);
    return () => {
      window.removeEventListener("pointerdown", onDown, options);
      window.removeEventListener("pointerup", onUp, options);
      window.removeEventListener("pointercancel", onUp, options);
    };
  }, []);
  return useCallback((action) => {
    if (press.current.isDown) press.current.waiting.push(action);
    else action();
  }, []);
}
