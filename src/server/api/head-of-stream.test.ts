import { pino } from "pino";
import { expect, it } from "vitest";
import { createEventStreams } from "../event-streams.ts";
import { createHallEvents } from "../hall-events.ts";
import { hallEventsRoute } from "./events.ts";
import { createApiHandler } from "./handler.ts";

it("a HEAD request to a stream gets its headers, keeps no place, no subscription and no session open (SEC-15)", async () => {
  const hallEvents = createHallEvents();
  let looking = 0;
  const lookAt = () => {
    looking += 1;
    return () => void (looking -= 1);
  };
  const route = hallEventsRoute({ hallEvents, streams: createEventStreams(1), sessions: { lookAt }, jobs: { wake: () => undefined } });
  const handle = createApiHandler([route], { log: pino({ level: "silent" }), scrub: (text) => text, door: { isPerson: () => false } });
  const ask = (method: string) => handle(new Request("http://hall/api/events?open=ses_01jcqz8x8b6m4t9v3k2n5p7rnw", { method }));

  const heads = [await ask("HEAD"), await ask("HEAD"), await ask("HEAD")];
  const stream = await ask("GET");

  expect([...heads, stream].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(heads[0]?.headers.get("content-type")).toBe("text/event-stream");
  expect([hallEvents.listeners(), looking]).toEqual([1, 1]);
  await stream.body?.cancel();
  expect([hallEvents.listeners(), looking]).toEqual([0, 0]);
});
