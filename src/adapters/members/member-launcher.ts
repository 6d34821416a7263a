import type { MemberLauncher } from "../../core/roster/member-launcher.ts";
import { createDeathSignal } from "../processes/death-signal.ts";
import { endOrphans } from "../processes/end-orphans.ts";
import { createProcessFamilies } from "../processes/process-families.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import { createFreePorts } from "./free-ports.ts";
import type { MemberLauncherDeps } from "./launcher-deps.ts";
import { startLife } from "./member-life.ts";

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
