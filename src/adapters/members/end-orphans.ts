import { signalGroup } from "../process-group.ts";
import type { MemberRecords } from "./launcher-deps.ts";
import type { ProcessFamilies } from "./process-families.ts";

/** Ends the members that are on record, and answers how many there were. What is on record but not seen running is nobody's. */
export async function endOrphans(records: Pick<MemberRecords, "leftBehind" | "remove">, families: ProcessFamilies): Promise<number> {
  const left = await records.leftBehind();
  const ended = await Promise.all(
    left.map(async ({ name, mark, leader }) => {
      const family = await families.find({ mark, group: leader, isLed: leader !== null });
      const hadLeader = leader !== null && signalGroup(leader, "SIGKILL");
      const hadOthers = await families.end(family);
      await records.remove(name);
      return hadLeader || hadOthers;
    }),
  );
  return ended.filter(Boolean).length;
}
