import { useDraft } from "./use-draft.ts";

/** Saying something again in other words: it takes the place of the draft, which comes back when it is left or sent. */
export function useEditing(sessionId: string) {
  const [draft, setDraft] = useDraft(sessionId);
  const [displaced, setDisplaced] = useDraft(`${sessionId}-displaced`);
  const isEditing = displaced !== "";
  return {
    isEditing,
    begin: (text: string) => {
      if (!isEditing) setDisplaced(`${mark}${draft}`);
      setDraft(text);
    },
    end: () => {
      if (isEditing) setDraft(displaced.slice(mark.length));
      setDisplaced("");
    },
  };
}

/** Before what is kept, because a draft without a letter is displaced too. */
const mark = "=";
