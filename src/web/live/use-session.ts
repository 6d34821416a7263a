import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { ErrorCode } from "../../schema/error-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { MessageId } from "../../schema/ids.ts";
import type { SessionDetail } from "../../schema/session.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { followQuery } from "./follow-query.ts";
import type { Streamed } from "./follow-query.ts";
import { useHallNews } from "./live-provider.tsx";
import { askedLast, changeView, shownMessages, startView } from "./session-view.ts";
import { useIsVisible } from "./use-is-visible.ts";
import { useOneAtATime } from "./use-one-at-a-time.ts";
import { useQueue } from "./use-queue.ts";

/** What could not be done, in a sentence. Without a code it is the page's own trouble. */
export type Failure = { code: ErrorCode | null; message: string; details: Readonly<Record<string, unknown>> };

/** How much is read at once when somebody looks back. */
const earlierPage = 100;

/** A session as it is now, and what can be done with it. While a query runs and the tab is in sight, its stream is open. */
export function useSession(detail: SessionDetail) {
  const [view, change] = useReducer(changeView, detail, startView);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isVisible = useIsVisible();
  const { id } = detail.session;
  const queue = useQueue(id);
  const isRunning = view.session.status === "running";
  const asked = askedLast(view.stored);
  const hasMissed = useRef(false);

  // Two answers that overtake each other would leave the older one standing.
  const read = useOneAtATime(() => attempt(async () => change({ change: "read", detail: await client().get(id) })));
  const isLookingBack = useRef(false);
  async function readEarlier(limit = earlierPage): Promise<void> {
    if (view.earlier === null || isLookingBack.current) return;
    const { earlier } = view;
    isLookingBack.current = true;
    await attempt(async () => change({ change: "earlier", detail: await client().get(id, { limit, cursor: earlier }) }));
    isLookingBack.current = false;
  }

  const onEvents = (events: readonly Streamed[]) => change({ change: "streamed", events });
  const follow = useEffectEvent((signal: AbortSignal) =>
    attempt(() => followQuery({ client: client(), id, lastEventId: view.lastEventId, signal, onEvents })),
  );
  const readAfter = useEffectEvent(read);

  useEffect(() => {
    if (!isRunning || !isVisible) return;
    const leaving = new AbortController();
    // What was streamed is not all that is stored: cost and times are known only after reading again.
    void follow(leaving.signal).then(() => leaving.signal.aborted || readAfter());
    return () => leaving.abort();
  }, [isRunning, isVisible, asked]);

  useHallNews((news) => {
    if (news.news === "offline") return;
    if (news.news === "event") {
      if (news.event.event !== "session" || news.event.data.id !== id) return;
      const { status, part } = news.event.data;
      if (status === null) return change({ change: "gone" });
      // A part of it has readers of its own.
      if (part !== undefined && status === view.session.status) return;
    }
    if (isVisible) void read();
    else hasMissed.current = true;
  });
  useEffect(() => {
    if (!isVisible || !hasMissed.current) return;
    hasMissed.current = false;
    void readAfter();
  }, [isVisible]);

  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      setFailure(null);
      return true;
    } catch (error) {
      if (error instanceof HallError && error.code === "not_found") change({ change: "gone" });
      else setFailure(failureOf(error));
      return false;
    }
  }

  return {
    session: view.session,
    messages: useMemo(() => shownMessages(view), [view]),
    /** What waits for its turn. */
    waiting: queue.waiting,
    retry: view.retry,
    /** What the last query took, as far as it was seen here. */
    usage: view.usage,
    isGone: view.isGone,
    failure,
    /** What was in the way is not any more. */
    forgive: () => setFailure(null),
    hasEarlier: view.earlier !== null,
    readEarlier,
    /** Whether the hall accepted it. Where the session is busy, the message waits for its turn. */
    send: (text: string) =>
      attempt(async () => {
        const { messageId } = await client().send(id, text, { queue: isRunning });
        if (isRunning) return queue.read();
        change({
          change: "sent",
          message: { id: messageId, role: "user", at: new Date().toISOString(), blocks: [{ type: "text", text }] },
        });
      }),
    unqueue: (messageId: MessageId) => attempt(() => queue.remove(messageId)),
    sendNext: () => attempt(queue.sendNext),
    stop: () => attempt(() => client().stop(id)),
    remove: () => attempt(() => client().remove(id)),
  };
}

export type SessionHandle = ReturnType<typeof useSession>;

const failureOf = (error: unknown): Failure => ({
  message: sentenceOf(error),
  ...(error instanceof HallError ? { code: error.code, details: error.details } : { code: null, details: {} }),
});

const client = () => createHallClient({ baseUrl: "" }).sessions;
