import type { HallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { SessionEvent } from "../../schema/session-event.ts";

export type Streamed = { id: string | undefined; event: SessionEvent };

type FollowDeps = {
  client: Pick<HallClient["sessions"], "events">;
  id: SessionId;
  lastEventId: string | undefined;
  signal: AbortSignal;
  onEvents: (events: readonly Streamed[]) => void;
};

/** Drawing more often than this helps no reader. */
const gatherMs = 50;
const pauseMs = 1000;

/** Reads a running query to its end. A stream that breaks off is taken up where it was; resolves after `done`, or when told to leave. */
export async function followQuery({ client, id, lastEventId, signal, onEvents }: FollowDeps): Promise<void> {
  const gather = gatherEvents(onEvents);
  let last = lastEventId;
  while (!signal.aborted) {
    try {
      for await (const streamed of client.events(id, { signal, ...(last === undefined ? {} : { lastEventId: last }) })) {
        last = streamed.id ?? last;
        gather.add(streamed);
        if (streamed.event.event === "done") return gather.flush();
      }
    } catch (error) {
      if (!signal.aborted && !isPassing(error)) throw error;
    }
    gather.flush();
    if (!signal.aborted) await pause(signal);
  }
}

/** The first event is passed on at once, later ones together. */
function gatherEvents(pass: (events: readonly Streamed[]) => void) {
  let waiting: Streamed[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) pass(waiting);
    waiting = [];
  };
  const add = (event: Streamed) => {
    waiting.push(event);
    if (timer !== undefined) return;
    flush();
    timer = setTimeout(flush, gatherMs);
  };
  return { add, flush };
}

/** The hall is away or restarting: the query may still be there when it is back. */
const isPassing = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && "code" in error && (error.code === "hall_unreachable" || error.code === "shutting_down"));

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
