import { useEffect, useEffectEvent, useRef, useState } from "react";
import { MessageId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";

type Linked = {
  messages: readonly Message[];
  hasEarlier: boolean;
  onEarlier: (limit?: number) => Promise<boolean>;
  onFound: (id: MessageId) => void;
};

/** As much as the hall gives at once: whoever wants to be led far back waits for all of it. */
export const largestPage = 500;

/** The message that the address names. Earlier messages are read until it is among them; then somebody is led to it, once. */
export function useLinkedMessage({ messages, hasEarlier, onEarlier, onFound }: Linked): MessageId | null {
  const [linked, setLinked] = useState<{ id: MessageId } | null>(null);
  const ledTo = useRef(linked);

  useEffect(() => {
    const look = () => {
      const id = MessageId.safeParse(location.hash.slice(1));
      setLinked(id.success ? { id: id.data } : null);
    };
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);

  const lead = useEffectEvent(() => {
    if (linked === null || ledTo.current === linked) return;
    if (messages.some(({ id }) => id === linked.id)) {
      ledTo.current = linked;
      onFound(linked.id);
    } else if (hasEarlier) {
      // Whoever was not led there at once reads elsewhere by the time the hall is back.
      void onEarlier(largestPage).then((isRead) => isRead || (ledTo.current = linked));
    }
  });
  useEffect(() => lead(), [linked, messages.length]);

  return linked?.id ?? null;
}
