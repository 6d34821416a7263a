import { z } from "zod";
import type { Approvals } from "../../core/approval/approvals.ts";
import type { Runs } from "../../core/run/runs.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { Approval, ApprovalList, ApproveCall, RejectCall } from "../../schema/approval.ts";
import { ApprovalId, JobRunId, MessageId, RunId } from "../../schema/ids.ts";
import { ChangeRuns, RaiseLimit, RunDetail, RunNote, RunTree, RunsState } from "../../schema/run.ts";
import { RunEvent } from "../../schema/run-event.ts";
import { Message } from "../../schema/session.ts";
import type { RunLimits } from "../compose/build-run-limits.ts";
import type { EventStreams } from "../event-streams.ts";
import type { EventSource } from "./event-response.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

const OneRun = z.object({ id: RunId.describe("the id of a run: of a session's message that is being answered, or of a job") });
const OneApproval = z.object({ id: ApprovalId.describe("the id of an approval") });

export type RunRouteDeps = {
  runs: Runs;
  sessions: Pick<Sessions, "runs">;
  approvals: Approvals;
  control: RunLimits["control"];
  streams: EventStreams;
  /** Ends the jobs of guild members. Returns how many there were. */
  stopMemberJobs: () => Promise<number>;
};

export function runRoutes({ runs, sessions, approvals, control, streams, stopMemberJobs }: RunRouteDeps): Route[] {
  /** A run is a message's or a job's, and its id says which. */
  const asked = <Answer>(
    id: RunId,
    { ofMessage, ofJob }: { ofMessage: (id: MessageId) => Answer; ofJob: (id: JobRunId) => Answer },
  ): Answer => {
    const message = MessageId.safeParse(id);
    return message.success ? ofMessage(message.data) : ofJob(JobRunId.parse(id));
  };
  const detail = (id: RunId): Promise<RunDetail> => asked(id, { ofMessage: sessions.runs.get, ofJob: runs.detail });

  return [
    defineRoute({
      method: "GET",
      path: "/api/runs",
      summary: "Whether new runs are paused, and how many use the model now",
      answer: { status: 200, schema: RunsState },
      handle: () => Promise.resolve(control.state()),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/runs",
      summary: "Set whether runs that reach the model's usage limit from now on resume by themselves; it beats config.yaml",
      body: ChangeRuns,
      needsPerson: true,
      answer: { status: 200, schema: RunsState },
      handle: ({ body }) => control.setResumesAtReset(body.resumesAtReset),
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/stop",
      summary: "Stop everything: every message that is being answered and every job, with what it started",
      answer: { status: 200, schema: z.object({ stopped: z.int() }) },
      async handle() {
        const stopped = await Promise.all([sessions.runs.stopAll(), runs.stopAll(), stopMemberJobs()]);
        return { stopped: stopped.reduce((sum, count) => sum + count, 0) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/pause",
      summary: "Pause new runs, over restarts too; runs that have started continue",
      answer: { status: 200, schema: RunsState },
      handle: () => control.pause(),
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/unpause",
      summary: "Resume new runs",
      needsPerson: true,
      answer: { status: 200, schema: RunsState },
      handle: () => control.unpause(),
    }),
    defineRoute({
      method: "GET",
      path: "/api/runs/{id}",
      summary: "A run: how it stands, what it waits for, what it has used, and what a person can do with it",
      params: OneRun,
      answer: { status: 200, schema: RunDetail },
      errors: ["not_found"],
      handle: ({ params }) => detail(params.id),
    }),
    defineRoute({
      method: "GET",
      path: "/api/runs/{id}/tree",
      summary: "The tree that a run belongs to, from its root: who works for whom, how each stands, and what all have used together",
      params: OneRun,
      answer: { status: 200, schema: RunTree },
      errors: ["not_found"],
      handle: ({ params }) => asked(params.id, { ofMessage: sessions.runs.tree, ofJob: runs.tree }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/runs/{id}/events",
      summary: "A run as a stream, from its start or from Last-Event-ID, until it ends",
      params: OneRun,
      headers: { "Last-Event-ID": "the `id` of the last event that was received: the stream goes on behind it" },
      answer: { status: 200, schema: RunEvent, contentType: "text/event-stream" },
      errors: ["not_found"],
      async handle({ params, request }) {
        const last = request.headers.get("last-event-id") ?? undefined;
        const reading = new AbortController();
        const events = asked<EventSource>(params.id, {
          ofMessage: (id) => sessions.runs.watch(id, last),
          ofJob: (id) => runs.watch(runs.get(id).id, last, reading.signal),
        });
        const leave = streams.enter();
        return streams.respond(events, () => {
          leave();
          reading.abort();
        });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/{id}/stop",
      summary: "End a run and all that it started",
      params: OneRun,
      answer: { status: 204 },
      errors: ["not_found"],
      handle: ({ params }) => asked(params.id, { ofMessage: sessions.runs.stop, ofJob: runs.stop }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/{id}/resume",
      summary: "Try the model again, before its usage limit is reset",
      params: OneRun,
      answer: { status: 200, schema: RunDetail },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => asked(params.id, { ofMessage: sessions.runs.resume, ofJob: runs.resume }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/{id}/limits",
      summary: "Raise the limit of money or turns that a run waits at; it then resumes",
      params: OneRun,
      body: RaiseLimit,
      needsPerson: true,
      answer: { status: 200, schema: RunDetail },
      errors: ["not_found", "conflict"],
      handle: ({ params, body: { to } }) =>
        asked(params.id, { ofMessage: (id) => sessions.runs.raise(id, to), ofJob: (id) => runs.raise(id, to) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/{id}/finish",
      summary: "End a run that waits at a limit of money or turns with what it has",
      params: OneRun,
      answer: { status: 204 },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => asked(params.id, { ofMessage: sessions.runs.finish, ofJob: runs.finish }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/runs/{id}/note",
      summary: "Send a note to the agent of a run; it reads it at its next tool call. What it has not read is sent as the next message",
      params: z.object({ id: MessageId.describe("the id of a message that is being answered") }),
      body: RunNote,
      answer: { status: 202, schema: Message },
      errors: ["not_found", "conflict"],
      handle: ({ params, body }) => sessions.runs.note(params.id, body.text),
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
