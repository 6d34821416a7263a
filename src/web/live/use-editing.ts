import { useState } from "react";
import { useDraft } from "./use-draft.ts";

/** Saying something again in other words: it takes the place of the draft, which comes back when it is left or sent. */
export function useEditing(sessionId: string) {
  const [draft, setDraft] = useDraft(sessionId);
  const [before, setBefore] = useState<string | null>(null);
  const end = () => {
    if (before !== null) setDraft(before);
    setBefore(null);
  };
  return {
    isEditing: before !== null,
    begin: (text: string) => {
      setBefore(before ?? draft);
      setDraft(text);
    },
    end,
  };
}
