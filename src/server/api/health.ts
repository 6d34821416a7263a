import { Health } from "../../schema/health.ts";
import type { ModelInfo } from "../../schema/health.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function healthRoute({ version, startedAt, model }: { version: string; startedAt: number; model: () => ModelInfo }): Route {
  return defineRoute({
    method: "GET",
    path: "/api/health",
    summary: "Whether the hall serves, and which model answers",
    answer: { status: 200, schema: Health },
    handle: async () => ({ status: "ok", version, uptimeSeconds: Math.round((performance.now() - startedAt) / 1000), model: model() }),
  });
}
