import type { MemberLauncher, MemberProgram } from "../../core/roster/member-launcher.ts";
import type { MemberName } from "../../schema/ids.ts";
import { createFairQueue } from "../fair-queue.ts";
import { signalGroup } from "../process-group.ts";
import { createFreePorts } from "./free-ports.ts";
import { createMarkedProcesses } from "./marked-processes.ts";
import { startLife } from "./member-life.ts";

export type MemberLauncherDeps = {
  limits: {
    /** How many members may be on their way from their start to being connected at the same time. */
    startsAtOnce: number;
    /** From the start of the process until its tools are known. */
    handshakeMs: number;
    callMs: number;
  };
  /** Told to members in the handshake. */
  version: string;
  /** Our own environment, of which only the search path and the locale are taken. */
  hostEnv: Readonly<Record<string, string | undefined>>;
  /** The folder of the Node that `node` means to a member. */
  nodeFolder: string;
  /** What a worker needs to reach the model. It holds credentials; an empty value takes a variable away. */
  modelEnv: () => Readonly<Record<string, string>>;
  /** A private folder of the member, which is made where it is missing. */
  homeOf: (name: MemberName) => string;
  records: MemberRecords;
  now: () => string;
  /** What went wrong beside the members' own lives: a record that cannot be written, a tool nobody can use. */
  onProblem: (error: unknown) => void;
};

/** What is remembered of running members, so that the next life of the hall finds what this one left. */
export type MemberRecords = {
  /** Before the process exists. Durable when it resolves. */
  begin(name: MemberName, record: { mark: string; port: number | null; startedAt: string }): Promise<void>;
  /** As soon as it exists. */
  identify(name: MemberName, pid: number): Promise<void>;
  remove(name: MemberName): Promise<void>;
  /** `leader` is null unless exactly the recorded process is seen running. */
  leftBehind(): Promise<{ name: MemberName; mark: string; leader: number | null }[]>;
};

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
          const hadOthers = await parts.marked.endAll(mark);
          await deps.records.remove(name);
          return hadLeader || hadOthers;
        }),
      );
      return ended.filter(Boolean).length;
    },
  };
}
