import type { Approval } from "../../schema/approval.ts";
import { copyOf } from "../world.testing.ts";
import type { Life } from "../world.testing.ts";
import type { ApprovalStore } from "./approval-store.ts";

export type ApprovalDisk = Map<string, Approval>;

/** Approvals on a disk that is memory. Like the files, it knows one only when the write of it succeeded. */
export function createMemoryApprovals(life: Life, disk: ApprovalDisk): ApprovalStore {
  const known = new Map([...disk].map(([id, approval]) => [id, copyOf(approval)]));
  return {
    list: () => [...known.values()],
    async save(approval) {
      const saved = copyOf(approval);
      await life.write(() => void disk.set(approval.id, saved), known.has(approval.id) ? undefined : { isAllOrNone: true });
      known.set(approval.id, saved);
    },
  };
}
