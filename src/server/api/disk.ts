import type { Config } from "../../schema/config.ts";
import { DiskUsage } from "../../schema/disk.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

type DiskDeps = { diskUsage: () => Promise<Omit<DiskUsage, "retention">>; retention: Config["retention"] };

export function diskRoute({ diskUsage, retention }: DiskDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/api/disk",
    summary: "What the home folder takes, part by part, and how long sessions are kept",
    answer: { status: 200, schema: DiskUsage },
    handle: async () => ({ ...(await diskUsage()), retention }),
  });
}
