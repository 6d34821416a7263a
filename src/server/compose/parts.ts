import type { Logger } from "pino";
import type { Layout } from "../../adapters/files/layout.ts";
import type { Config } from "../../schema/config.ts";
import type { EventStreams } from "../event-streams.ts";
import type { HallEvents } from "../hall-events.ts";

export type Closer = () => Promise<unknown>;

/** What every part of the hall is built with. Whoever opens something adds how to close it. */
export type Parts = {
  config: Config;
  version: string;
  layout: Layout;
  log: Logger;
  env: NodeJS.ProcessEnv;
  closers: Closer[];
  hallEvents: HallEvents;
  streams: EventStreams;
};
