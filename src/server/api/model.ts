import { ModelInfo } from "../../schema/health.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function findModelRoute(findModel: () => Promise<ModelInfo>): Route {
  return defineRoute({
    method: "POST",
    path: "/api/model/find",
    summary: "Look for credentials again, without a restart",
    answer: { status: 200, schema: ModelInfo },
    handle: () => findModel(),
  });
}
