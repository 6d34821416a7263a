import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { ErrorCode } from "../../schema/error-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { SessionDetail } from "../../schema/session.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import type { Purpose } from "../format/sentence-of.ts";
import { followQuery } from "./follow-query.ts";
import type { Streamed } from "./follow-query.ts";
import { useHallNews } from "./live-provider.tsx";
import { askedLast, changeView, partWaiting, presentRun, shownMessages, startView } from "./session-view.ts";
import { useIsVisible } from "./use-is-visible.ts";
import { useOneAtATime } from "./use-one-at-a-time.ts";
import { useQueue } from "./use-queue.ts";

/** What could not be done, in a sentence. Without a code it is the page's own trouble. */
export type Failure = { code: ErrorCode | null; message: string; details: Readonly<Record<string, unknown>> };

/** What somebody asked for and did not get stays to be read, however often the session is read again meanwhile. */
type Failures = { asked: Failure | null; read: Failure | null };

const none: Failures = { asked: null, read: null };

/** How much is read at once when somebody looks back. */
const earlierPage = 100;

/** A session as it is now, and what can be done with it. While a query runs and the tab is in sight, its stream is open. */
export function useSession(detail: SessionDetail) {
  const [view, change] = useReducer(changeView, detail, startView);
  const [failures, setFailures] = useState<Failures>(none);
  const isVisible = useIsVisible();
  const { id } = detail.session;
  const queue = useQueue(id);
  const isRunning = view.session.status === "running";
  const asked = askedLast(view.stored);
  const run = isRunning ? presentRun(view) : undefined;
  const hasMissed = useRef(false);
  const [pressed, setPressed] = useState<string | null>(null);

  // Two answers that overtake each other would leave the older one standing.
  const read = useOneAtATime(() => attempt("read", async () => change({ change: "read", detail: await client().get(id) })));
  const lookingBack = useRef<Promise<boolean>>(null);
  async function readEarlier(limit = earlierPage): Promise<boolean> {
    if (view.earlier === null) return false;
    const { earlier } = view;
    lookingBack.current ??= attempt("read", async () =>
      change({ change: "earlier", detail: await client().get(id, { limit, cursor: earlier }) }),
    );
    const isRead = await lookingBack.current;
    lookingBack.current = null;
    return isRead;
  }

  const onEvents = (events: readonly Streamed[]) => change({ change: "streamed", events });
  const follow = useEffectEvent((signal: AbortSignal) =>
    attempt("read", () => followQuery({ client: client(), id, lastEventId: view.lastEventId, signal, onEvents })),
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
    if (news.news === "offline" || (news.news === "online" && !news.hasMissed)) return;
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

  async function attempt(purpose: Purpose, action: () => Promise<unknown>): Promise<boolean> {
    const keep = (failure: Failure | null) => setFailures((before) => ({ ...before, [purpose === "read" ? "read" : "asked"]: failure }));
    try {
      await action();
      keep(null);
      return true;
    } catch (error) {
      if (error instanceof HallError && error.code === "not_found") change({ change: "gone" });
      else keep(failureOf(error, purpose));
      return false;
    }
  }

  async function send(text: string): Promise<void> {
    const { messageId, waits } = await sendOrQueue(id, text, isRunning);
    // Accepted is accepted: a queue that cannot be read now is read at the next news of it.
    if (waits) return queue.read().catch(() => undefined);
    change({ change: "sent", message: { id: messageId, role: "user", at: new Date().toISOString(), blocks: [{ type: "text", text }] } });
  }

  /** A second press before the hall has answered the first is the same wish. */
  async function sendOnce(text: string): Promise<void> {
    if (pressed !== null) return;
    setPressed(text);
    await attempt("send", () => send(text));
    setPressed(null);
  }

  /** The agent reads it at its next tool call. If the run has just ended, the note is sent as a message. */
  async function sendNote(text: string): Promise<void> {
    if (run === undefined) return send(text);
    try {
      await createHallClient({ baseUrl: "" }).runs.note(run, text);
    } catch (error) {
      if (error instanceof HallError && (error.code === "not_found" || error.code === "conflict")) return send(text);
      throw error;
    }
    return queue.read().catch(() => undefined);
  }

  return {
    session: view.session,
    messages: useMemo(() => shownMessages(view), [view]),
    /** What waits for its turn, and the notes that the agent has not read. */
    ...useMemo(() => partWaiting(view, queue.waiting), [view, queue.waiting]),
    retry: view.retry,
    nearLimits: view.nearLimits,
    /** The run that goes on, for what can be done with it. */
    runId: run,
    isGone: view.isGone,
    failure: failures.asked ?? failures.read,
    /** What was in the way is not any more. */
    forgive: () => setFailures(none),
    hasEarlier: view.earlier !== null,
    /** Whether there was something to read, and it was read. Who asks while it is being read has the same answer. */
    readEarlier,
    /** Whether the hall accepted it. Where the session is busy, the message waits for its turn. */
    send: (text: string) => attempt("send", () => send(text)),
    /** Whether the hall accepted it for the agent at work. */
    sendNote: (text: string) => attempt("send", () => sendNote(text)),
    /** What one press says, without anybody writing it. */
    sendOnce,
    /** What such a press is sending now. */
    pressed,
    unqueue: (messageId: MessageId) => attempt("act", () => queue.remove(messageId)),
    sendNext: () => attempt("act", queue.sendNext),
    stop: () => attempt("act", () => client().stop(id).catch(ignoreEnded)),
    remove: () => attempt("act", () => client().remove(id)),
  };
}

export type SessionHandle = ReturnType<typeof useSession>;

/** A session may have become busy before this tab heard of it: then the message waits, as it would have a moment later. */
async function sendOrQueue(id: SessionId, text: string, isBusy: boolean): Promise<{ messageId: MessageId; waits: boolean }> {
  try {
    return { ...(await client().send(id, text, { queue: isBusy })), waits: isBusy };
  } catch (error) {
    if (isBusy || !(error instanceof HallError) || error.code !== "conflict") throw error;
    return { ...(await client().send(id, text, { queue: true })), waits: true };
  }
}

/** The run ended just before the person chose Stop. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof HallError) || error.code !== "conflict") throw error;
}

const failureOf = (error: unknown, purpose: Purpose): Failure => ({
  message: sentenceOf(error, purpose),
  ...(error instanceof HallError ? { code: error.code, details: error.details } : { code: null, details: {} }),
});

const client = () => createHallClient({ baseUrl: "" }).sessions;
