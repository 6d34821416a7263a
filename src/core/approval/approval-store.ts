import type { Approval } from "../../schema/approval.ts";

/** The port to the records of approvals. Writes are durable when they resolve. */
export interface ApprovalStore {
  list(): Approval[];
  /** Leaves nothing if a new record cannot be written. The write of a changed record may fail after it took effect. */
  save(approval: Approval): Promise<void>;
}
