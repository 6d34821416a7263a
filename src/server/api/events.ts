import { z } from "zod";
import type { Jobs } from "../../core/jobs/jobs.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { changesHeader } from "../../schema/changes-header.ts";
import { HallEvent } from "../../schema/hall-event.ts";
import { SessionId } from "../../schema/ids.ts";
import type { HallEvents } from "../hall-events.ts";
import type { EventStreams } from "../event-streams.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

const EventsQuery = z.object({
  open: SessionId.optional().describe("the session that somebody has before them while this stream is open: its agent is kept ready"),
});

type EventsDeps = { hallEvents: HallEvents; streams: EventStreams; sessions: Pick<Sessions, "lookAt">; jobs: Pick<Jobs, "wake"> };

export function hallEventsRoute({ hallEvents, streams, sessions, jobs }: EventsDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/api/events",
    summary: "A stream of what changes in the hall",
    query: EventsQuery,
    answer: { status: 200, schema: HallEvent, contentType: "text/event-stream" },
    handle: async ({ query }) => {
      const leave = streams.enter();
      const lookAway = query.open === undefined ? () => undefined : sessions.lookAt(query.open);
      const changes = hallEvents.changes();
      const events = hallEvents.subscribe();
      jobs.wake();
      const response = streams.respond(events, () => {
        leave();
        lookAway();
      });
      response.headers.set(changesHeader, changes);
      return response;
    },
  });
}
