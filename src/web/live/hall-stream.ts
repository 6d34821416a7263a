import type { HallClient } from "../../client/hall-client.ts";
import { changesHeader } from "../../schema/changes-header.ts";
import type { HallEvent } from "../../schema/hall-event.ts";

/** What a tab hears. "online": the stream stands from now on; what happened before may have been missed, so read again. Of sessions nothing was where the page was just drawn and none has changed since. */
export type HallNews = { news: "event"; event: HallEvent } | { news: "online"; hasMissed: boolean } | { news: "offline" };

/** The same for any tab: each page was drawn at a time of its own. */
type Heard = Exclude<HallNews, { news: "online" }> | { news: "online"; changes: string | null };

export type HallStream = {
  /** Tries at once instead of waiting for the next attempt. */
  retry(): void;
  close(): void;
};

type HallStreamDeps = {
  client: Pick<HallClient, "events">;
  /** Missing where the address is not secure; each tab then has a stream of its own. */
  locks: LockManager | undefined;
  openChannel: () => BroadcastChannel;
  /** The mark that the page was drawn with. */
  drawnAt: () => string | null;
  tell: (news: HallNews) => void;
};

/** What tabs say to each other. A tab that just opened asks how things stand and is answered alone. */
type Call = { call: "news"; news: Heard; only?: string } | { call: "how-is-it"; from: string } | { call: "retry" };

const longestPauseMs = 2000;

/**
 * One stream of the hall for all tabs, because a browser opens six connections to a host and no more. The tab that
 * holds the lock reads the stream and passes on what it hears; when it closes, the next in line takes over.
 */
export function createHallStream({ client, locks, openChannel, drawnAt, tell }: HallStreamDeps): HallStream {
  const closing = new AbortController();
  // randomUUID is missing where the address is not secure; a name among a few tabs need not be more than this.
  const name = Math.random().toString(36);
  const channel = locks === undefined ? null : openChannel();
  let state: Heard | null = null;
  let isFirst = true;
  let endPause = () => {};

  const say = (call: Call) => channel?.postMessage(call);

  function announce(news: Heard): void {
    if (news.news !== "event") state = news;
    else if (news.event.event === "session" || news.event.event === "runs") state = { news: "online", changes: null };
    say({ call: "news", news });
    hear(news);
  }

  function hear(news: Heard): void {
    if (news.news !== "online") tell(news);
    // Where the stream stood before, what was asked for meanwhile may have failed.
    else tell({ news: "online", hasMissed: !isFirst || news.changes === null || news.changes !== drawnAt() });
    isFirst = false;
  }

  async function lead(): Promise<void> {
    let failures = 0;
    const onOpen = (headers: Headers) => {
      failures = 0;
      announce({ news: "online", changes: headers.get(changesHeader) });
    };
    while (!closing.signal.aborted) {
      try {
        for await (const { event } of client.events({ signal: closing.signal, onOpen })) announce({ news: "event", event });
      } catch {
        // A hall that is gone and a stream that broke are one to a reader: it is offline until the next try succeeds.
        if (closing.signal.aborted) return;
      }
      announce({ news: "offline" });
      failures += 1;
      await pause(Math.min(longestPauseMs, 250 * 2 ** failures));
    }
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  channel?.addEventListener("message", ({ data }: MessageEvent<Call>) => {
    if (data.call === "retry") endPause();
    if (data.call === "how-is-it" && state !== null) say({ call: "news", news: state, only: data.from });
    if (data.call === "news" && (data.only === undefined || data.only === name)) hear(data.news);
  });
  say({ call: "how-is-it", from: name });
  const led = locks === undefined ? lead() : locks.request("guild-hall-events", { signal: closing.signal }, lead);
  led.catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });

  return {
    retry() {
      endPause();
      say({ call: "retry" });
    },
    close() {
      closing.abort();
      endPause();
      channel?.close();
    },
  };
}
