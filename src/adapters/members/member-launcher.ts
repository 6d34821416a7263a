import type { MemberLauncher } from "../../core/roster/member-launcher.ts";
import { createDeathSignal } from "../death-signal.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import { endOrphans } from "./end-orphans.ts";
import { createFreePorts } from "./free-ports.ts";
import type { MemberLauncherDeps } from "./launcher-deps.ts";
import { startLife } from "./member-life.ts";
import { createProcessFamilies } from "./process-families.ts";

/** Starts guild members as processes, each at the head of a group of its own, and speaks MCP with them. */
export function createMemberLauncher(deps: MemberLauncherDeps): MemberLauncher {
  const families = createProcessFamilies();
  const deathSignal = createDeathSignal(deps.hostEnv);
  const parts = { ...deps, starts: createFairQueue(deps.limits.startsAtOnce), ports: createFreePorts(), families, deathSignal };
  return {
    launch: (program, watch) => startLife(program, watch, parts),
    endOrphans: () => endOrphans(deps.records, families),
  };
}
