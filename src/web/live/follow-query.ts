import { readQuery } from "../../client/read-query.ts";
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

/** How long events that are there already may be taken in before the page gets its turn. */
const turnMs = 12;

/** Reads a running query to its end. A stream that breaks off is taken up where it was; resolves after `done`, or when told to leave. */
export async function followQuery({ onEvents, ...reading }: FollowDeps): Promise<void> {
  const gather = gatherEvents(onEvents);
  let turn = performance.now();
  try {
    for await (const streamed of readQuery(reading)) {
      gather.add(streamed);
      if (performance.now() - turn < turnMs) continue;
      await nextTask();
      turn = performance.now();
    }
  } finally {
    gather.flush();
  }
}

/** The first words are passed on at once, whatever was told just before them; later ones together. */
function gatherEvents(pass: (events: readonly Streamed[]) => void) {
  let waiting: Streamed[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastTextAt = Number.NEGATIVE_INFINITY;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.some(({ event }) => event.event === "text")) lastTextAt = performance.now();
    if (waiting.length > 0) pass(waiting);
    waiting = [];
  };
  const add = (streamed: Streamed) => {
    addJoined(waiting, streamed);
    // A word before it is drawn: only text is worth being early.
    if (streamed.event.event === "text" && performance.now() - lastTextAt >= gatherMs) flush();
    else timer ??= setTimeout(flush, gatherMs);
  };
  return { add, flush };
}

/** Text that goes on becomes one event, under the id of its last piece: thousands of pieces cost no more than a few. */
function addJoined(waiting: Streamed[], streamed: Streamed): void {
  const last = waiting.at(-1)?.event;
  const { id, event } = streamed;
  if (last?.event !== "text" || event.event !== "text" || last.data.messageId !== event.data.messageId) return void waiting.push(streamed);
  const text = last.data.text + event.data.text;
  waiting[waiting.length - 1] = { id, event: { event: "text", data: { messageId: event.data.messageId, text } } };
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
