import { useEffect, useEffectEvent, useState } from "react";

/**
 * Takes files that are dropped anywhere on the page: beside a target, the browser would open them in place of the page.
 * Answers whether some are being dragged over it. Text is left to the element it is dropped on.
 */
export function useFileDrop(onFiles: (files: Iterable<File>) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    // A picture of the page itself that is dragged comes as a file too; nobody brings it.
    let isOwn = false;
    const listening = new AbortController();
    const hear = <Name extends "dragstart" | "dragend" | "dragover" | "dragleave" | "drop">(
      name: Name,
      listener: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, listener, { signal: listening.signal });

    hear("dragstart", () => {
      isOwn = true;
    });
    hear("dragend", () => {
      isOwn = false;
    });
    hear("dragover", (event) => {
      if (isOwn || event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setIsOver(true);
    });
    hear("dragleave", (event) => {
      // Moving from one part of the page to another leaves nothing.
      if (event.relatedTarget === null) setIsOver(false);
    });
    hear("drop", (event) => {
      setIsOver(false);
      if (isOwn || event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      take(event.dataTransfer.files);
    });
    return () => listening.abort();
  }, []);
  return isOver;
}
