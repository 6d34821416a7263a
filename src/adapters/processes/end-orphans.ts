import { setTimeout as pause } from "node:timers/promises";
import type { ProcessFamilies } from "./process-families.ts";
import { signalGroup } from "./process-group.ts";
import { lifeOf } from "./process-identity.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** What the records say about children of an earlier life of the hall. */
export type OrphanRecords<Name> = {
  /** `process` is null for a child that was about to start; `mark` for a record from before agents had marks. */
  leftBehind(): Promise<{ name: Name; mark: string | null; process: ProcessIdentity | null }[]>;
  remove(name: Name): Promise<void>;
};

/** Ends the children that are on record with all they started, waits until they are gone, and returns how many there were. */
export async function endOrphans<Name>(records: OrphanRecords<Name>, families: ProcessFamilies): Promise<number> {
  const left = await records.leftBehind();
  const ended = await Promise.all(
    left.map(async ({ name, mark, process }) => {
      // Only if it is seen running: in another container or on another machine, the pid belongs to a stranger.
      const leader = process !== null && (await lifeOf(process)) === "running" ? process : null;
      const family = await families.find({ mark, group: leader?.pid ?? null, isLed: leader !== null });
      const hadLeader = leader !== null && signalGroup(leader.pid, "SIGKILL");
      const hadOthers = await families.end(family);
      if (hadLeader) await untilGone(leader);
      await records.remove(name);
      return hadLeader || hadOthers;
    }),
  );
  return ended.filter(Boolean).length;
}

/** Long enough for a machine under load to let go of a killed process; what hangs in the kernel longer cannot be helped. */
const patience = { looks: 250, pauseMs: 20 };

async function untilGone(process: ProcessIdentity): Promise<void> {
  for (let looks = 0; looks < patience.looks && (await lifeOf(process)) === "running"; looks += 1) await pause(patience.pauseMs);
}
