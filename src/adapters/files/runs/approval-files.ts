import type { ApprovalStore } from "../../../core/approval/approval-store.ts";
import { Approval } from "../../../schema/approval.ts";
import { ApprovalId } from "../../../schema/ids.ts";
import { defineDocument } from "../document.ts";
import { makeFolder } from "../durable-write.ts";
import type { Layout } from "../layout.ts";
import { namesIn } from "../names-in.ts";

const approvalDocument = defineDocument(Approval);

/** A file per approval, read once. */
export async function openApprovalFiles({
  layout,
  onProblem,
}: {
  layout: Layout;
  onProblem: (error: unknown) => void;
}): Promise<ApprovalStore> {
  const approvals = new Map<ApprovalId, Approval>();
  for (const name of await namesIn(layout.approvals)) {
    const { success, data: id } = ApprovalId.safeParse(name.replace(/\.json$/, ""));
    if (!success) continue;
    const approval = await approvalDocument.read(layout.approval(id)).catch((error: unknown) => (onProblem(error), null));
    if (approval !== null) approvals.set(id, approval);
  }
  return {
    list: () => [...approvals.values()],
    async save(approval) {
      await makeFolder(layout.approvals);
      const path = layout.approval(approval.id);
      if (approvals.has(approval.id)) await approvalDocument.write(path, approval);
      else await approvalDocument.create(path, approval);
      approvals.set(approval.id, approval);
    },
  };
}
