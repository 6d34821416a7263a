"use client";

import { useState } from "react";
import type { Message, Session } from "../../../schema/session.ts";
import { isPlaceholderName, suggestName } from "../../format/suggest-name.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { Button } from "../elements/button.tsx";
import { textOf } from "./text-of-turn.ts";

type SuggestedNameProps = { session: Session; /** The first thing that was asked, where it is at hand. */ first: Message | undefined };

/** Offers a name to a session that has none of its own yet. A name that a person gave is never touched. */
export function SuggestedName({ session, first }: SuggestedNameProps) {
  const { change, failure, isBusy } = useSessionChanges(session.id);
  const [isDeclined, setIsDeclined] = useState(false);
  const name = first?.role === "user" && isPlaceholderName(session.name) ? suggestName(textOf(first)) : null;
  if (name === null || isDeclined) return null;
  return (
    <p className="flex items-center gap-2 border-b border-line px-6 py-1 text-xs text-ink-2 max-rail:px-4">
      <span className="min-w-0 flex-1 truncate">
        {failure ?? (
          <>
            Call it <b>{name}</b>?
          </>
        )}
      </span>
      <Button size="sm" busy={isBusy} onClick={() => void change({ name })}>
        Use this name
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setIsDeclined(true)}>
        No
      </Button>
    </p>
  );
}
