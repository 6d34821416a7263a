import type { HallClient } from "../../client/hall-client.ts";
import { readQuery } from "../../client/read-query.ts";
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

/** Reads a running query to its end, gathered for drawing. Resolves after `done`, or when told to leave. */
export async function followQuery({ onEvents, ...reading }: FollowDeps): Promise<void> {
  const gather = gatherEvents(onEvents);
  try {
    for await (const streamed of readQuery(reading)) gather.add(streamed);
  } finally {
    gather.flush();
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
