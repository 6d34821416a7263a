import { HallEvent } from "../../schema/hall-event.ts";
import type { HallEvents } from "../hall-events.ts";
import type { StreamLimit } from "../stream-limit.ts";
import { eventResponse } from "./event-response.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function hallEventsRoute({ hallEvents, streams }: { hallEvents: HallEvents; streams: StreamLimit }): Route {
  return defineRoute({
    method: "GET",
    path: "/api/events",
    summary: "A stream of what changes in the hall",
    answer: { status: 200, schema: HallEvent, contentType: "text/event-stream" },
    handle: async () => {
      const leave = streams.enter();
      return eventResponse(hallEvents.subscribe(), leave);
    },
  });
}
