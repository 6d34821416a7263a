import type { Roster } from "../../core/roster/roster.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import type { Check } from "../../schema/check.ts";
import type { ModelInfo } from "../../schema/health.ts";
import type { HallEvents } from "../hall-events.ts";
import type { StreamLimit } from "../stream-limit.ts";
import type { TokenDoor } from "../token.ts";
import { doctorRoute } from "./doctor.ts";
import { hallEventsRoute } from "./events.ts";
import { healthRoute } from "./health.ts";
import { loginRoute } from "./login.ts";
import { findModelRoute } from "./model.ts";
import { openApiRoute } from "./openapi.ts";
import { rosterRoutes } from "./roster.ts";
import type { Route } from "./route.ts";
import { sessionRoutes } from "./sessions.ts";
import { toolRoutes } from "./tools.ts";

export type ApiDeps = {
  version: string;
  startedAt: number;
  model: () => ModelInfo;
  findModel: () => Promise<ModelInfo>;
  runDoctor: () => Promise<Check[]>;
  door: TokenDoor;
  hallEvents: HallEvents;
  streams: StreamLimit;
  sessions: Sessions;
  roster: Roster;
};

/** Every address of the API. */
export function apiRoutes(deps: ApiDeps): Route[] {
  const routes: Route[] = [
    healthRoute(deps),
    openApiRoute(deps.version, () => routes),
    doctorRoute(deps.runDoctor),
    findModelRoute(deps.findModel),
    loginRoute(deps.door),
    hallEventsRoute(deps),
    ...rosterRoutes(deps.roster),
    ...toolRoutes(deps.roster),
    ...sessionRoutes(deps),
  ];
  return routes;
}
