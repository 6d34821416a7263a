import { useState } from "react";
import type { ClipboardEvent, DragEvent } from "react";

/** What an element needs to take files that are dropped on it or pasted into it. Text is left to the element itself. */
export function useFileDrop(onFiles: (files: Iterable<File>) => void) {
  const [isOver, setIsOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave(event: DragEvent) {
      // Moving from one part of the element to another leaves nothing.
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setIsOver(false);
    },
    onDrop(event: DragEvent) {
      setIsOver(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      onFiles(event.dataTransfer.files);
    },
    onPaste(event: ClipboardEvent) {
      // A table copied from an office program comes as text and as a picture of it: the text is meant.
      if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
      event.preventDefault();
      onFiles(event.clipboardData.files);
    },
  };
  return { isOver, handlers };
}
