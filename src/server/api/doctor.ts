import { CheckList } from "../../schema/check.ts";
import type { Check } from "../../schema/check.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function doctorRoute(runDoctor: () => Promise<Check[]>): Route {
  return defineRoute({
    method: "GET",
    path: "/api/doctor",
    summary: "What the hall found on this machine, and what to do about it",
    answer: { status: 200, schema: CheckList },
    handle: async () => ({ checks: await runDoctor() }),
  });
}
