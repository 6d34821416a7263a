import { z } from "zod";
import type { Approvals } from "../../core/approval/approvals.ts";
import type { Runs } from "../../core/run/runs.ts";
import { Approval, ApprovalList, ApproveCall, RejectCall } from "../../schema/approval.ts";
import { ApprovalId, RunId } from "../../schema/ids.ts";
import { RunDetail } from "../../schema/run.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

const OneRun = z.object({ id: RunId.describe("the id of a run, which is that of its job") });
const OneApproval = z.object({ id: ApprovalId.describe("the id of an approval") });

export type RunRouteDeps = { runs: Runs; approvals: Approvals };

export function runRoutes({ runs, approvals }: RunRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/runs/{id}",
      summary: "A run of a worker of the hall: how it stands, what it waits for and what came of it",
      params: OneRun,
      answer: { status: 200, schema: RunDetail },
      errors: ["not_found"],
      handle: ({ params }) => runs.detail(params.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/{id}/stop",
      summary: "End a run and all that it started",
      params: OneRun,
      answer: { status: 200, schema: RunDetail },
      errors: ["not_found"],
      handle: async ({ params }) => runs.detail((await runs.stop(params.id)).id),
    }),
    defineRoute({
      method: "GET",
      path: "/api/approvals",
      summary: "Calls of tools that wait or waited for a person, newest first",
      query: z.object({ state: Approval.shape.state.optional().describe("only those in this state") }),
      answer: { status: 200, schema: ApprovalList },
      handle: ({ query }) => Promise.resolve({ approvals: approvals.list(query.state).toReversed() }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/approvals/{id}",
      summary: "One of them, with the exact arguments of the call",
      params: OneApproval,
      answer: { status: 200, schema: Approval },
      errors: ["not_found"],
      handle: ({ params }) => Promise.resolve().then(() => approvals.get(params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/approvals/{id}/approve",
      summary: "Let the call run, once, with the arguments that were shown or with others",
      params: OneApproval,
      body: ApproveCall,
      needsPerson: true,
      answer: { status: 200, schema: Approval },
      errors: ["not_found", "conflict"],
      handle: ({ params, body }) => approvals.approve(params.id, body),
    }),
    defineRoute({
      method: "POST",
      path: "/api/approvals/{id}/reject",
      summary: "Refuse the call; the worker is told why and goes on",
      params: OneApproval,
      body: RejectCall,
      needsPerson: true,
      answer: { status: 200, schema: Approval },
      errors: ["not_found", "conflict"],
      handle: ({ params, body }) => approvals.reject(params.id, body.note),
    }),
  ];
}
