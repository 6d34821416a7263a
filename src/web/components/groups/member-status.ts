import { MemberName } from "../../../schema/ids.ts";
import type { MemberStatus } from "../../../schema/roster.ts";
import type { MemberGlance } from "../../live/member-glance.ts";
import type { StatusName } from "../elements/status.tsx";

type Shown = { status: StatusName; word: string };

/** How a member's state is shown. One that is on its way says so. */
export function memberStatus(member: Pick<MemberGlance, "status" | "steps">): Shown {
  return member.status === "disconnected" && isStarting(member) ? { status: "running", word: "Starting" } : looks[member.status];
}

/** Steps that are still to come mean that somebody is taking them; where there are none yet, it waits its turn. */
const isStarting = ({ steps }: Pick<MemberGlance, "steps">): boolean =>
  steps.length === 0 || steps.some(({ state }) => state === "doing" || state === "waiting");

const looks: Record<MemberStatus, Shown> = {
  connected: { status: "connected", word: "Connected" },
  disconnected: { status: "disconnected", word: "Disconnected" },
  error: { status: "error", word: "Error" },
};

/** One that fails before its first step has nothing to start: its manifest is to be put right, and then it starts by itself. */
export const canRestart = ({ status, steps }: Pick<MemberGlance, "status" | "steps">): boolean => status !== "error" || steps.length > 0;

/** Whether a name leads to this member. Of two that claim one, it leads to the one that can be started. */
export function isReachable(member: Pick<MemberGlance, "name" | "folder" | "steps" | "status">, all: readonly MemberGlance[]): boolean {
  if (!MemberName.safeParse(member.name).success) return false;
  const claimants = all.filter(({ name }) => name === member.name);
  return (claimants.find(canRestart) ?? claimants[0])?.folder === member.folder;
}

/** "5 of 7 connected". */
export const connectedOf = (members: readonly Pick<MemberGlance, "status">[]): string =>
  `${members.filter(({ status }) => status === "connected").length} of ${members.length} connected`;
