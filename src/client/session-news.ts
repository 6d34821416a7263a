import type { SessionId } from "../schema/ids.ts";
import type { HallClient } from "./hall-client.ts";
import { isPassing, pause } from "./read-query.ts";

type Listening = { client: Pick<HallClient, "events">; id: SessionId; signal: AbortSignal; patience: number; pauseMs?: number };

/** Says "look again": when the hall begins to tell, after every gap, and whenever something about the session changed. */
export async function* sessionNews({ client, id, signal, patience, pauseMs = 1000 }: Listening): AsyncGenerator<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const leaving = new AbortController();
    const opened = Promise.withResolvers<void>();
    const events = client.events({ signal: AbortSignal.any([signal, leaving.signal]), onOpen: () => opened.resolve() });
    try {
      const first = events.next();
      await Promise.race([opened.promise, first]);
      failures = 0;
      yield;
      for (let next = await first; next.done !== true; next = await events.next()) {
        const { event, data } = next.value.event;
        if (event === "session" && data.id === id) yield;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error) || failures >= patience) throw error;
    } finally {
      leaving.abort();
    }
    await pause(pauseMs, signal);
  }
}
