import type { Jobs } from "../../core/jobs/jobs.ts";
import type { Roster } from "../../core/roster/roster.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { Check } from "../../schema/check.ts";
import type { Config } from "../../schema/config.ts";
import type { DiskUsage } from "../../schema/disk.ts";
import type { ModelInfo } from "../../schema/health.ts";
import type { HallEvents } from "../hall-events.ts";
import type { EventStreams } from "../event-streams.ts";
import type { Door } from "../door.ts";
import type { EntryCodes } from "../entry-codes.ts";
import { artifactRoutes } from "./artifacts.ts";
import type { ArtifactDeps } from "./artifacts.ts";
import { contextRoutes } from "./context.ts";
import type { ContextDeps } from "./context.ts";
import { diskRoute } from "./disk.ts";
import { doctorRoute } from "./doctor.ts";
import { hallEventsRoute } from "./events.ts";
import { healthRoute } from "./health.ts";
import { jobRoutes } from "./jobs.ts";
import type { JobDeps } from "./jobs.ts";
import { loginRoutes } from "./login.ts";
import { findModelRoute } from "./model.ts";
import { entryCodeRoute } from "./entry-codes.ts";
import { openApiRoute } from "./openapi.ts";
import { runRoutes } from "./runs.ts";
import type { RunRouteDeps } from "./runs.ts";
import { rosterRoutes } from "./roster.ts";
import type { Route } from "./route.ts";
import { sessionRoutes } from "./sessions.ts";
import { spendingRoutes } from "./spending.ts";
import { toolRoutes } from "./tools.ts";

/** The routes of each part of the hall, as functions of what that part is made of. */
export const routesOf = {
  roster: ({ roster }: { roster: Roster }): Route[] => [...rosterRoutes(roster), ...toolRoutes(roster)],
  sessions: (deps: Parameters<typeof sessionRoutes>[0] & ContextDeps & ArtifactDeps): Route[] => [
    ...sessionRoutes(deps),
    ...contextRoutes(deps),
    ...artifactRoutes(deps),
  ],
  runs: (deps: JobDeps & RunRouteDeps): Route[] => [...jobRoutes(deps), ...runRoutes(deps)],
  spending: spendingRoutes,
  hall: (deps: HallRouteDeps): Route[] => [
    healthRoute(deps),
    doctorRoute(deps.runDoctor),
    findModelRoute(deps.findModel),
    ...loginRoutes(deps.door),
    entryCodeRoute(deps.codes),
    hallEventsRoute(deps),
    diskRoute(deps),
  ],
};

type HallRouteDeps = {
  version: string;
  startedAt: number;
  model: () => ModelInfo;
  findModel: () => Promise<ModelInfo>;
  runDoctor: () => Promise<Check[]>;
  door: Door;
  codes: EntryCodes;
  hallEvents: HallEvents;
  streams: EventStreams;
  sessions: Sessions;
  jobs: Jobs;
  diskUsage: () => Promise<Omit<DiskUsage, "retention">>;
  retention: Config["retention"];
};

/** Every address of the API: those of the parts, and the one that describes them all. */
export function apiRoutes(version: string, parts: readonly Route[]): Route[] {
  const routes: Route[] = [...parts, openApiRoute(version, () => routes)];
  return routes;
}

/** The same with nothing behind them, to be described or looked at and never called. */
export const describedRoutes = (): Route[] =>
  apiRoutes(
    "",
    Object.values(routesOf).flatMap((routes) => routes({} as never)),
  );
