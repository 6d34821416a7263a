import { Approval, ApprovalList } from "../schema/approval.ts";
import type { ApproveCall, RejectCall } from "../schema/approval.ts";
import { RunDetail } from "../schema/run.ts";
import { addressPart } from "./address-part.ts";
import type { Transport } from "./jobs.ts";

/** Runs of the hall's own workers. */
export const createRunsClient = ({ ask }: Pick<Transport, "ask">) => ({
  get: (id: string) => ask(RunDetail, "GET", `/api/runs/${addressPart(id)}`),
  stop: (id: string) => ask(RunDetail, "POST", `/api/runs/${addressPart(id)}/stop`),
});

/** Calls of tools that wait for a person. */
export const createApprovalsClient = ({ ask, search }: Pick<Transport, "ask" | "search">) => ({
  list: (query: { state?: Approval["state"] } = {}) => ask(ApprovalList, "GET", `/api/approvals${search(query)}`),
  get: (id: string) => ask(Approval, "GET", `/api/approvals/${addressPart(id)}`),
  approve: (id: string, body: ApproveCall) => ask(Approval, "POST", `/api/approvals/${addressPart(id)}/approve`, { body }),
  reject: (id: string, body: RejectCall) => ask(Approval, "POST", `/api/approvals/${addressPart(id)}/reject`, { body }),
});
