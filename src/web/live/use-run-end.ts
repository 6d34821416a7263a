import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Session } from "../../schema/session.ts";
import { waitsForPerson } from "../format/waits-for-person.ts";
import { useHallNews } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

/** What waited may begin right after: then nothing has ended yet. */
const settleMs = 700;

/** The session as a run left it while this tab was out of sight, or as it waits for the person; null again once the tab is looked at. */
export function useRunEnd(id: SessionId, isRunning: boolean, onEnd: (session: Session) => void): Session | null {
  const isVisible = useIsVisible();
  const runs = useRef(isRunning);
  /** How often it may have ended or begun to wait since this tab was looked at: each is a reason to read it. */
  const [stops, setStops] = useState(0);
  const [ended, setEnded] = useState<Session | null>(null);

  // What this tab sees itself is true; out of sight it shows what it saw last, and what it hears counts.
  const see = useEffectEvent(() => {
    if (isVisible) runs.current = isRunning;
  });
  useEffect(() => see(), [isRunning]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "hidden") return;
      setStops(0);
      setEnded(null);
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  const stop = () => setStops((before) => before + 1);
  useHallNews((news) => {
    // An end that fell into a gap of the stream is not told afterwards.
    if (news.news === "online" && news.hasMissed && !isVisible && runs.current) stop();
    if (news.news !== "event" || news.event.event !== "session" || news.event.data.id !== id) return;
    // News of a part may be older than news of the whole.
    if (news.event.data.part !== undefined) return;
    const isNow = news.event.data.status === "running";
    if (!isVisible && runs.current) stop();
    else if (isNow) setStops(0);
    runs.current = isNow;
  });

  const tell = useEffectEvent((session: Session) => {
    runs.current = session.status === "running";
    setEnded(session);
    onEnd(session);
  });
  useEffect(() => {
    if (stops === 0) return;
    let isCurrent = true;
    const look = async () => {
      const { session } = await createHallClient({ baseUrl: "" }).sessions.get(id, { limit: 1 });
      if (!isCurrent) return;
      if (session.status !== "running" || waitsForPerson(session.waitingFor)) tell(session);
      else setEnded(null);
    };
    // A hall that does not answer now has nothing to tell; the page says so when it is looked at.
    const timer = setTimeout(() => void look().catch(() => undefined), settleMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id, stops]);
  return ended;
}
