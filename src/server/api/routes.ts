import type { Jobs } from "../../core/jobs/jobs.ts";
import type { Roster } from "../../core/roster/roster.ts";
import type { ArtifactStore } from "../../core/session/artifact-store.ts";
import type { ContextStore } from "../../core/session/context-store.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { SpendingLedger } from "../../core/run/spending.ts";
import type { Check } from "../../schema/check.ts";
import type { Config } from "../../schema/config.ts";
import type { DiskUsage } from "../../schema/disk.ts";
import type { ModelInfo } from "../../schema/health.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { JobRun } from "../../schema/run.ts";
import type { HallEvents } from "../hall-events.ts";
import type { EventStreams } from "../event-streams.ts";
import type { Door } from "../door.ts";
import type { EntryCodes } from "../entry-codes.ts";
import { artifactRoutes } from "./artifacts.ts";
import { contextRoutes } from "./context.ts";
import { diskRoute } from "./disk.ts";
import { doctorRoute } from "./doctor.ts";
import { hallEventsRoute } from "./events.ts";
import { healthRoute } from "./health.ts";
import { jobRoutes } from "./jobs.ts";
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

export type ApiDeps = {
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
  context: ContextStore;
  onContextChanged: (id: SessionId) => void;
  artifacts: ArtifactStore;
  onArtifactAdded: (id: SessionId) => void;
  ledger: SpendingLedger;
  diskUsage: () => Promise<Omit<DiskUsage, "retention">>;
  retention: Config["retention"];
  roster: Roster;
  jobs: Jobs;
  startRun: (worker: string, task: string) => Promise<JobRun>;
  isHallWorker: (name: string) => Promise<boolean>;
  mimeTypeOf: (name: string) => string;
} & RunRouteDeps;

/** Every address of the API. */
export function apiRoutes(deps: ApiDeps): Route[] {
  const routes: Route[] = [
    healthRoute(deps),
    openApiRoute(deps.version, () => routes),
    doctorRoute(deps.runDoctor),
    findModelRoute(deps.findModel),
    ...loginRoutes(deps.door),
    entryCodeRoute(deps.codes),
    hallEventsRoute(deps),
    ...rosterRoutes(deps.roster),
    ...toolRoutes(deps.roster),
    ...sessionRoutes(deps),
    ...contextRoutes(deps),
    ...artifactRoutes(deps),
    ...jobRoutes(deps),
    ...runRoutes(deps),
    ...spendingRoutes(deps),
    diskRoute(deps),
  ];
  return routes;
}
