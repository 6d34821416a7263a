import type { MemberLauncher, MemberProgram } from "../../core/roster/member-launcher.ts";
import { createFairQueue } from "../fair-queue.ts";
import { signalGroup } from "../process-group.ts";
import { createFreePorts } from "./free-ports.ts";
import type { MemberLauncherDeps } from "./launcher-deps.ts";
import { createMarkedProcesses } from "./marked-processes.ts";
import { startLife } from "./member-life.ts";

/** Starts guild members as processes, each at the head of a group of its own, and speaks MCP with them. */
export function createMemberLauncher(deps: MemberLauncherDeps): MemberLauncher {
  const parts = {
    ...deps,
    starts: createFairQueue(deps.limits.startsAtOnce),
    ports: createFreePorts(),
    marked: createMarkedProcesses(),
  };
  return {
    launch: (program: MemberProgram, watch) => startLife(program, watch, parts),
    async endOrphans() {
      const left = await deps.records.leftBehind();
      const ended = await Promise.all(
        left.map(async ({ name, mark, leader }) => {
          const hadLeader = leader !== null && signalGroup(leader, "SIGKILL");
          const hadOthers = await parts.marked.endAll(mark, leader);
          await deps.records.remove(name);
          return hadLeader || hadOthers;
        }),
      );
      return ended.filter(Boolean).length;
    },
  };
}
