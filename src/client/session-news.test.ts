import { describe, expect, it } from "vitest";
import { HallError } from "../schema/hall-error.ts";
import type { HallEvent } from "../schema/hall-event.ts";
import { newSessionId } from "../schema/ids.ts";
import { collect } from "./collect.testing.ts";
import type { StreamOptions } from "./event-stream.ts";
import { sessionNews } from "./session-news.ts";

const id = newSessionId();
const changed = (session: typeof id): HallEvent => ({ event: "session", data: { id: session, status: "idle" } });

/** One entry per connection; null is a hall that is away. After the last one the listener is told to leave. */
function hallThatTells(...connections: (HallEvent[] | null)[]) {
  const leaving = new AbortController();
  const client = {
    async *events({ onOpen }: StreamOptions = {}) {
      const events = connections.shift();
      if (events === undefined) return leaving.abort();
      if (events === null) throw new HallError("hall_unreachable", "No hall answers.");
      onOpen?.(new Headers());
      for (const event of events) yield { id: undefined, event };
    },
  };
  return { client, signal: leaving.signal };
}

describe("news of a session", () => {
  it("come when the hall begins to tell, with each change of it, and after every gap", async () => {
    const hall = hallThatTells([changed(newSessionId()), changed(id)], null, []);

    // Opened, changed, opened again, and the last look before leaving.
    expect(await collect(sessionNews({ ...hall, id, patience: 3, pauseMs: 0 }))).toHaveLength(4);
  });

  it("end with the reason where the hall stays away", async () => {
    const hall = hallThatTells(null, null, null);

    await expect(collect(sessionNews({ ...hall, id, patience: 1, pauseMs: 0 }))).rejects.toMatchObject({ code: "hall_unreachable" });
  });
});
