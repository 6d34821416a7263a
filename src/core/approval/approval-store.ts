import type { Approval } from "../../schema/approval.ts";

/** The port to the records of approvals. Writes are durable when they resolve. */
export interface ApprovalStore {
  list(): Approval[];
  save(approval: Approval): Promise<void>;
}
