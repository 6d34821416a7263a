import { setTimeout as pause } from "node:timers/promises";
import { lockLimitOf } from "./mark.ts";
import { createSharedLook, killExactly } from "./running-processes.ts";
import type { RunningProcess } from "./running-processes.ts";

/** The processes of a child: those with its mark or its limit of locks, those in its group, and all that these started. */
export type ProcessFamily = {
  mark: string | null;
  group: number | null;
  /** When each of them began, by pid. */
  known: Map<number, string>;
};

export type ProcessFamilies = {
  /**
   * Which processes belong to the child at this moment. Call it before any signal: a process that has shed its marks and
   * its group is known by its parent alone, and no longer when that has ended. `isLed` says that the child itself runs, so
   * that the group is certain to be its group.
   */
  find(child: { mark: string | null; group: number | null; isLed: boolean }): Promise<ProcessFamily>;
  /**
   * Kills every one of them with whom they have started since, and waits until they are gone, and whoever else was in the
   * group. Answers whether there was anybody to kill.
   */
  end(family: ProcessFamily): Promise<boolean>;
};

/** Long enough for a machine under load to let go of killed processes; what hangs in the kernel longer cannot be helped. */
const patience = { rounds: 250, pauseMs: 20 };

/** All this is read off `/proc`, which Linux has. Elsewhere only the group is ended. */
export function createProcessFamilies(platform: NodeJS.Platform = process.platform): ProcessFamilies {
  const look = createSharedLook();
  return {
    async find({ mark, group, isLed }) {
      const family: ProcessFamily = { mark, group, known: new Map() };
      if (platform !== "linux") return family;
      const seen = await look();
      for (const each of seen) if (isLed && each.group === group) family.known.set(each.pid, each.started);
      addRelatives(family, seen);
      return family;
    },
    async end(family) {
      if (platform !== "linux") return false;
      let hadAny = false;
      for (let round = 0; round < patience.rounds; round += 1) {
        const seen = await look();
        addRelatives(family, seen);
        const ours = seen.filter((each) => isOf(family, each) && killExactly(each));
        hadAny ||= ours.length > 0;
        if (ours.length === 0 && !seen.some(({ group }) => group === family.group)) break;
        await pause(patience.pauseMs);
      }
      return hadAny;
    },
  };
}

const isOf = ({ known }: ProcessFamily, { pid, started }: RunningProcess): boolean => known.get(pid) === started;

/** Whoever carries one of the marks, and whoever was started by one of the family that runs. */
function addRelatives(family: ProcessFamily, seen: readonly RunningProcess[]): void {
  const byPid = new Map(seen.map((each) => [each.pid, each]));
  const limitOfFamily = family.mark === null ? null : lockLimitOf(family.mark);
  const isRelative = ({ marks, lockLimit, parent: pid, started }: RunningProcess): boolean => {
    const parent = byPid.get(pid);
    if (family.mark !== null && (marks.includes(family.mark) || lockLimit === limitOfFamily)) return true;
    return parent !== undefined && isOf(family, parent) && BigInt(parent.started) <= BigInt(started);
  };
  for (let before = -1; before < family.known.size;) {
    before = family.known.size;
    for (const each of seen) if (!isOf(family, each) && isRelative(each)) family.known.set(each.pid, each.started);
  }
}
