import type { Approval } from "../../schema/approval.ts";

/** The port to the records of approvals. Writes are durable when they resolve. */
export interface ApprovalStore {
  list(): Approval[];
  /** A new one that cannot be written leaves nothing. The write of a changed one may fail and have taken effect. */
  save(approval: Approval): Promise<void>;
}
