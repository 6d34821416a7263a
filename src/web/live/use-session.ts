import { useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionDetail } from "../../schema/session.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { followQuery } from "./follow-query.ts";
import type { Streamed } from "./follow-query.ts";
import { useHallNews } from "./live-provider.tsx";
import { askedLast, changeView, shownMessages, startView } from "./session-view.ts";
import { useIsVisible } from "./use-is-visible.ts";

/** A session as it is now, and what can be done with it. While a query runs and the tab is in sight, its stream is open. */
export function useSession(detail: SessionDetail) {
  const [view, change] = useReducer(changeView, detail, startView);
  const [failure, setFailure] = useState<string | null>(null);
  const isVisible = useIsVisible();
  const { id } = detail.session;
  const isRunning = view.session.status === "running";
  const asked = askedLast(view.stored);
  const hasMissed = useRef(false);

  const read = () => attempt(async () => change({ change: "read", detail: await client().sessions.get(id) }));

  async function attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      setFailure(null);
      return true;
    } catch (error) {
      if (error instanceof HallError && error.code === "not_found") change({ change: "gone" });
      else setFailure(sentenceOf(error));
      return false;
    }
  }

  const onEvents = (events: readonly Streamed[]) => change({ change: "streamed", events });
  const follow = useEffectEvent((signal: AbortSignal) =>
    attempt(() => followQuery({ client: client().sessions, id, lastEventId: view.lastEventId, signal, onEvents })),
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
    if (news.news === "event" && (news.event.event !== "session" || news.event.data.id !== id)) return;
    if (news.news === "event" && news.event.data.status === view.session.status) return;
    if (news.news === "event" && news.event.data.status === null) return change({ change: "gone" });
    if (isVisible) void read();
    else hasMissed.current = true;
  });
  useEffect(() => {
    if (!isVisible || !hasMissed.current) return;
    hasMissed.current = false;
    void readAfter();
  }, [isVisible]);

  return {
    session: view.session,
    messages: shownMessages(view),
    retry: view.retry,
    isGone: view.isGone,
    failure,
    hasEarlier: view.earlier !== null,
    readEarlier: () =>
      attempt(async () => {
        if (view.earlier !== null) change({ change: "earlier", detail: await client().sessions.get(id, { cursor: view.earlier }) });
      }),
    /** Whether the hall accepted it; only then is there a stream to follow. */
    send: (text: string) =>
      attempt(async () => {
        const { messageId } = await client().sessions.send(id, text);
        change({
          change: "sent",
          message: { id: messageId, role: "user", at: new Date().toISOString(), blocks: [{ type: "text", text }] },
        });
      }),
    stop: () => attempt(async () => void (await client().sessions.stop(id))),
    remove: () => attempt(() => client().sessions.remove(id)),
  };
}

export type SessionHandle = ReturnType<typeof useSession>;

const client = () => createHallClient({ baseUrl: "" });
