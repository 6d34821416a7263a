import { z } from "zod";
import { Approval, ApprovalList } from "../schema/approval.ts";
import type { ApproveCall, RejectCall } from "../schema/approval.ts";
import { RunDetail, RunTree, RunsState } from "../schema/run.ts";
import type { ChangeRuns } from "../schema/run.ts";
import { RunEvent } from "../schema/run-event.ts";
import { Message } from "../schema/session.ts";
import { addressPart } from "./address-part.ts";
import type { StreamOptions } from "./event-stream.ts";
import type { Transport } from "./jobs.ts";

/** Runs: of messages that are being answered, and of jobs of the hall's own workers. */
export const createRunsClient = ({ ask, send, stream }: Pick<Transport, "ask" | "send" | "stream">) => ({
  state: () => ask(RunsState, "GET", "/api/runs"),
  change: (changes: ChangeRuns) => ask(RunsState, "PATCH", "/api/runs", { body: changes }),
  stopAll: () => ask(z.object({ stopped: z.int() }), "POST", "/api/runs/stop"),
  pause: () => ask(RunsState, "POST", "/api/runs/pause"),
  unpause: () => ask(RunsState, "POST", "/api/runs/unpause"),
  get: (id: string) => ask(RunDetail, "GET", `/api/runs/${addressPart(id)}`),
  tree: (id: string) => ask(RunTree, "GET", `/api/runs/${addressPart(id)}/tree`),
  events: (id: string, options: StreamOptions = {}) => stream(RunEvent, `/api/runs/${addressPart(id)}/events`, options),
  stop: async (id: string): Promise<void> => void (await send("POST", `/api/runs/${addressPart(id)}/stop`)),
  /** Tries the model again before its usage limit is reset. */
  resume: (id: string) => ask(RunDetail, "POST", `/api/runs/${addressPart(id)}/resume`),
  raise: (id: string, to: number) => ask(RunDetail, "POST", `/api/runs/${addressPart(id)}/limits`, { body: { to } }),
  finish: async (id: string): Promise<void> => void (await send("POST", `/api/runs/${addressPart(id)}/finish`)),
  note: (id: string, text: string) => ask(Message, "POST", `/api/runs/${addressPart(id)}/note`, { body: { text } }),
});

/** Calls of tools that wait for a person. */
export const createApprovalsClient = ({ ask, search }: Pick<Transport, "ask" | "search">) => ({
  list: (query: { state?: Approval["state"] } = {}) => ask(ApprovalList, "GET", `/api/approvals${search(query)}`),
  get: (id: string) => ask(Approval, "GET", `/api/approvals/${addressPart(id)}`),
  approve: (id: string, body: ApproveCall) => ask(Approval, "POST", `/api/approvals/${addressPart(id)}/approve`, { body }),
  reject: (id: string, body: RejectCall) => ask(Approval, "POST", `/api/approvals/${addressPart(id)}/reject`, { body }),
});
