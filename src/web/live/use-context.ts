import { useEffect, useEffectEvent, useRef, useState } from "react";
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
    setState(opened.state());
    void opened.refresh();
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

  const refresh = useEffectEvent(() => void editor.current?.refresh());
  useHallNews((news) => {
    if (news.news === "offline") return;
    if (news.news === "event" && (news.event.event !== "session" || news.event.data.id !== id || news.event.data.part !== "context"))
      return;
    void editor.current?.refresh();
  });
  useEffect(() => {
    if (isVisible) refresh();
    else void editor.current?.saveNow();
  }, [isVisible]);

  return {
    state,
    type: (text: string) => editor.current?.type(text),
    choose: (...choices: Parameters<ContextEditor["choose"]>) => void editor.current?.choose(...choices),
    saveNow: () => void editor.current?.saveNow(),
    retry: () => void editor.current?.refresh(),
  };
}

export type ContextHandle = ReturnType<typeof useContextFile>;
