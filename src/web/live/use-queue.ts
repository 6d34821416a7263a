import { useEffect, useEffectEvent, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { useLatestReading } from "./latest-reading.ts";
import { useHallNews } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

/** What waits in a session for its turn. A queue that cannot be read is shown as it was; the next news has it read again. */
export function useQueue(id: SessionId) {
  const [waiting, setWaiting] = useState<readonly Message[]>([]);
  const isVisible = useIsVisible();
  const takeLatest = useLatestReading();

  const read = () => takeLatest(client().list(id), ({ messages }) => setWaiting(messages));
  const readQuietly = useEffectEvent(() => void read().catch(() => undefined));

  useEffect(() => {
    if (isVisible) readQuietly();
  }, [isVisible]);
  useHallNews((news) => {
    if (!isVisible || news.news === "offline") return;
    if (news.news === "event" && (news.event.event !== "session" || news.event.data.id !== id || news.event.data.part !== "queue")) return;
    readQuietly();
  });

  return {
    waiting,
    read,
    async remove(messageId: MessageId): Promise<void> {
      await client().remove(id, messageId).catch(sentMeanwhile);
      await read();
    },
    async sendNext(): Promise<void> {
      await client().send(id);
      await read();
    },
  };
}

/** Not there means that its turn came while somebody reached for it; a session that is gone is found out by the reading that follows. */
function sentMeanwhile(error: unknown): void {
  if (!(error instanceof HallError) || error.code !== "not_found") throw error;
}

const client = () => createHallClient({ baseUrl: "" }).sessions.queue;
