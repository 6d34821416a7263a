import { useEffect, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import { createContextEditor } from "../context/context-editor.ts";
import type { ContextEditor } from "../context/context-editor.ts";
import { hasChanges, startState } from "../context/context-state.ts";
import type { ContextState } from "../context/context-state.ts";
import { createContextDrafts } from "./context-drafts.ts";
import { useHallNews } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

/** The context file of a session, while somebody edits it. Leaving with text that is not saved asks first, and keeps it. */
export function useContextFile(id: SessionId) {
  const [state, setState] = useState<ContextState>(startState);
  const editor = useRef<ContextEditor>(null);
  const isVisible = useIsVisible();

  useEffect(() => {
    const { context } = createHallClient({ baseUrl: "" }).sessions;
    const opened = createContextEditor({
      read: () => context.read(id),
      write: (text, etag) => context.write(id, text, etag),
      drafts: createContextDrafts(sessionStorage, id),
      now: () => new Date().toISOString(),
      onState: setState,
    });
    editor.current = opened;
    return () => void opened.close();
  }, [id]);

  const isUnsaved = hasChanges(state);
  useEffect(() => {
    if (!isUnsaved) return;
    const onLeave = (event: BeforeUnloadEvent) => {
      void editor.current?.saveNow();
      event.preventDefault();
    };
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [isUnsaved]);

  useHallNews((news) => {
    if (news.news === "offline") return;
    if (news.news === "event" && (news.event.event !== "session" || news.event.data.id !== id || news.event.data.part !== "context"))
      return;
    if (isVisible) void editor.current?.refresh();
  });
  // The hall watches the file only for the tab looked at last, as far as the machine lets it. Whoever wrote in it with an editor comes back to this window afterwards.
  useEffect(() => {
    const onFocus = () => void editor.current?.refresh();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, []);
  // This is also what reads it for the first time.
  useEffect(() => {
    if (isVisible) void editor.current?.refresh();
    else void editor.current?.saveNow();
  }, [id, isVisible]);

  return {
    state,
    type: (...typed: Parameters<ContextEditor["type"]>) => editor.current?.type(...typed),
    choose: (...choices: Parameters<ContextEditor["choose"]>) => void editor.current?.choose(...choices),
    saveNow: () => void editor.current?.saveNow(),
    retry: () => void editor.current?.refresh(),
  };
}

export type ContextHandle = ReturnType<typeof useContextFile>;
