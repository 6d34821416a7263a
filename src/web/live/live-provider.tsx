"use client";

import { createContext, use, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { createHallStream } from "./hall-stream.ts";
import type { HallNews, HallStream } from "./hall-stream.ts";
import { onAnswer } from "./on-answer.ts";

export type LiveState = "connecting" | "online" | "offline";

type Live = {
  state: LiveState;
  retry: () => void;
  /** Calls the listener for each piece of news, until what it returns is called. */
  listen: (listener: (news: HallNews) => void) => () => void;
};

const LiveContext = createContext<Live | null>(null);

/** Holds this tab's part of the hall-wide stream and passes its news to whoever listens below. */
export function LiveProvider({ drawnAt, children }: { drawnAt: string | null; children: ReactNode }) {
  const [state, setState] = useState<LiveState>("connecting");
  const listeners = useRef(new Set<(news: HallNews) => void>());
  const stream = useRef<HallStream>(null);
  const drawn = useEffectEvent(() => drawnAt);

  useEffect(() => {
    const opened = createHallStream({
      client: createHallClient({ baseUrl: "" }),
      locks: navigator.locks,
      openChannel: () => new BroadcastChannel("guild-hall-events"),
      drawnAt: () => drawn(),
      tell: (news) => {
        if (news.news !== "event") setState(news.news);
        for (const listener of listeners.current) listener(news);
      },
    });
    stream.current = opened;
    return () => opened.close();
  }, []);

  useEffect(() => {
    if (state !== "offline") return;
    return onAnswer(() => stream.current?.retry());
  }, [state]);

  const live = useMemo<Live>(
    () => ({
      state,
      retry: () => stream.current?.retry(),
      listen: (listener) => {
        listeners.current.add(listener);
        return () => void listeners.current.delete(listener);
      },
    }),
    [state],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = use(LiveContext);
  if (live === null) throw new Error("useLive needs a LiveProvider above it.");
  return live;
}

export function useHallNews(onNews: (news: HallNews) => void): void {
  const { listen } = useLive();
  const hear = useEffectEvent(onNews);
  useEffect(() => listen((news) => hear(news)), [listen]);
}
