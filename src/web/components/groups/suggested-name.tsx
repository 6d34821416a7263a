"use client";

import { useEffect, useEffectEvent, useState } from "react";
import type { Message, Session } from "../../../schema/session.ts";
import { isPlaceholderName, suggestName, unnamed } from "../../format/suggest-name.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { Button } from "../elements/button.tsx";
import { textOf } from "./text-said.ts";

type SuggestedNameProps = {
  session: Session;
  /** The first thing that was asked, where it is at hand. */
  first: Message | undefined;
  /** Nothing had been said when the page was opened: what is asked first is asked before its eyes. */
  isFresh: boolean;
};

/**
 * Gives a session that was begun without a name that of its first message, and offers one where the name says nothing. A
 * name that a person thought about is never touched, and looking at an old session changes nothing.
 */
export function SuggestedName({ session, first, isFresh }: SuggestedNameProps) {
  const { change, failure, isBusy } = useSessionChanges(session.id);
  const [isDeclined, setIsDeclined] = useState(false);
  const [wasFresh] = useState(isFresh);
  const name = first?.role === "user" && isPlaceholderName(session.name) ? suggestName(textOf(first)) : null;
  const given = wasFresh && session.name === unnamed ? name : null;
  const give = useEffectEvent((chosen: string) => void change({ name: chosen }));
  useEffect(() => {
    if (given !== null) give(given);
  }, [given]);
  if (name === null || isDeclined || (given !== null && failure === null)) return null;
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
