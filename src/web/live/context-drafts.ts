import { z } from "zod";
import type { SessionId } from "../../schema/ids.ts";
import type { ContextDraft } from "../context/context-state.ts";

const Draft = z.object({ base: z.object({ text: z.string(), etag: z.string() }), text: z.string() });

/** What is being written in a context file, kept for this tab. */
export function createContextDrafts(storage: Storage, id: SessionId) {
  const key = `guild-hall-context-${id}`;
  return {
    get(): ContextDraft | null {
      const draft = Draft.safeParse(parsed(storage.getItem(key)));
      return draft.success ? draft.data : null;
    },
    keep(draft: ContextDraft | null): void {
      storage.removeItem(key);
      if (draft === null) return;
      try {
        storage.setItem(key, JSON.stringify(draft));
      } catch (error) {
        // Too large to be kept here: it stays on the page, which asks before it is left.
        if (!(error instanceof DOMException)) throw error;
      }
    },
  };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
