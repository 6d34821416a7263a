import { HallError } from "../schema/hall-error.ts";
import type { MessageId, SessionId } from "../schema/ids.ts";
import type { SessionEvent } from "../schema/session-event.ts";
import type { Streamed } from "./event-stream.ts";
import type { HallClient } from "./hall-client.ts";

type Reading = {
  client: Pick<HallClient["sessions"], "events">;
  id: SessionId;
  lastEventId: string | undefined;
  signal: AbortSignal;
  /** How often in a row it may fail to reach the hall before the reader is told. */
  patience?: number;
  pauseMs?: number;
};

/**
 * The events of a query to its end. A stream that breaks off is taken up where it was. Ends after `done`,
 * where the hall has nothing more of it, or when told to leave.
 */
export async function* readQuery(reading: Reading): AsyncGenerator<Streamed<SessionEvent>> {
  const { client, id, signal, patience = Number.POSITIVE_INFINITY, pauseMs = 1000 } = reading;
  let last = reading.lastEventId;
  for (let failures = 0; !signal.aborted; failures += 1) {
    let isEmpty = true;
    try {
      for await (const streamed of client.events(id, { signal, ...(last === undefined ? {} : { lastEventId: last }) })) {
        failures = 0;
        isEmpty = false;
        last = streamed.id ?? last;
        yield streamed;
        if (streamed.event.event === "done") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error) || failures >= patience) throw error;
      isEmpty = false;
    }
    // The hall has no more of this query, not even its end.
    if (isEmpty) return;
    await pause(pauseMs, signal);
  }
}

/** An id before the first event of a message's query: with it the whole query is sent, even where it has just ended. */
export const beforeQuery = (messageId: MessageId): string => `${messageId}.start`;

/** Whether an event is one of the query that this message began. */
export const isOfQuery = ({ id }: Streamed<SessionEvent>, messageId: MessageId): boolean => id?.startsWith(`${messageId}.`) === true;

/** The hall is away or restarting: what was read may still be there when it is back. A cut connection is a TypeError. */
export const isPassing = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof HallError && (error.code === "hall_unreachable" || error.code === "shutting_down"));

/** Resolves early when told to leave. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
