import { z } from "zod";
import { CheckList } from "../schema/check.ts";
import { DiskUsage } from "../schema/disk.ts";
import { EntryCode } from "../schema/entry-code.ts";
import { HallError } from "../schema/hall-error.ts";
import { HallEvent } from "../schema/hall-event.ts";
import { Health } from "../schema/health.ts";
import type { MessageId, SessionId, ToolCallId } from "../schema/ids.ts";
import { Problem } from "../schema/problem.ts";
import { Member, MemberLogs, RemovedMember, Roster } from "../schema/roster.ts";
import type { AcceptTools, AddMember } from "../schema/roster.ts";
import { MessageAccepted, MessageQueue, Session, SessionDetail, SessionList } from "../schema/session.ts";
import type { ChangeSession, CreateSession, SessionStatus } from "../schema/session.ts";
import { SessionEvent } from "../schema/session-event.ts";
import { DayLimit, Spending } from "../schema/spending.ts";
import type { SetDayLimit } from "../schema/spending.ts";
import { ToolAnswer } from "../schema/tool.ts";
import { ToolCall, ToolCallList } from "../schema/tool-call.ts";
import type { InvokeTool, SaveToolCall } from "../schema/tool-call.ts";
import { readEventStream } from "./event-stream.ts";
import type { Streamed, StreamOptions } from "./event-stream.ts";
import { createJobsClient } from "./jobs.ts";
import { createSessionFilesClient } from "./session-files.ts";
import type { Sent } from "./session-files.ts";
import { createApprovalsClient, createRunsClient } from "./runs.ts";
import { addressPart } from "./address-part.ts";

export type HallClientOptions = {
  /** Where the hall answers; a page of the hall itself passes "". */
  baseUrl: string;
  /** The hall's own handler, for code that runs in the hall's process. */
  fetch?: typeof globalThis.fetch;
  /** The hall's token, or the person's key: the line in `person.key` of the home folder. */
  token?: string;
};

export type HallClient = ReturnType<typeof createHallClient>;

/** Everything a program can ask of a hall. Answers are parsed; a problem answer is thrown as the `HallError` it was. */
export function createHallClient({ baseUrl, fetch = globalThis.fetch, token }: HallClientOptions) {
  async function send(method: string, path: string, more: Sent = {}) {
    const headers: Record<string, string> = { ...more.headers };
    const body = more.body === undefined ? more.text : JSON.stringify(more.body);
    if (body !== undefined) headers["content-type"] = more.body === undefined ? "text/markdown" : "application/json";
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    const request = new Request(absolute(baseUrl, path), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(more.signal === undefined ? {} : { signal: more.signal }),
    });
    const response = await fetch(request, more.signal === undefined ? {} : { signal: more.signal }).catch((cause: unknown) => {
      if (more.signal?.aborted === true) throw cause;
      throw new HallError("hall_unreachable", whyNoAnswer(cause, baseUrl || "this address"), { cause });
    });
    if (!response.ok) throw await errorOf(response, baseUrl);
    return response;
  }

  async function ask<Answer>(schema: z.ZodType<Answer>, ...request: Parameters<typeof send>): Promise<Answer> {
    const response = await send(...request);
    const answer: unknown = await response.json().catch(orNotHall);
    const { success, data, error } = schema.safeParse(answer);
    return success ? data : orNotHall(error);
  }

  /** A page talks to the hall that it came from; at any other address another program may listen. */
  function orNotHall(cause: unknown): never {
    if (baseUrl === "" || !(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    throw notHall(baseUrl, cause);
  }

  async function* stream<Event>(schema: z.ZodType<Event>, path: string, options: StreamOptions): AsyncGenerator<Streamed<Event>> {
    const response = await send("GET", path, {
      headers: { accept: "text/event-stream", ...(options.lastEventId === undefined ? {} : { "last-event-id": options.lastEventId }) },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    options.onOpen?.(response.headers);
    yield* readEventStream(response, schema, options.signal);
  }

  return {
    health: () => ask(Health, "GET", "/api/health"),
    doctor: () => ask(CheckList, "GET", "/api/doctor"),
    /** What the home folder takes, measured a while ago or now. */
    disk: () => ask(DiskUsage, "GET", "/api/disk"),
    spending: {
      get: () => ask(Spending, "GET", "/api/spending"),
      setLimit: (limit: z.input<typeof SetDayLimit>) => ask(DayLimit, "PUT", "/api/spending/limit", { body: limit }),
      /** Goes back to what config.yaml says. */
      clearLimit: () => ask(DayLimit, "DELETE", "/api/spending/limit"),
    },
    /** A one-time code for a browser of the person: see `entryAddress`. */
    entryCode: () => ask(EntryCode, "POST", "/api/entry-codes"),
    /** Takes the cookie away from the browser that asks. */
    logout: async (): Promise<void> => void (await send("POST", "/api/logout")),
    /** Looks for credentials again, without a restart. */
    findModel: () => ask(Health.shape.model, "POST", "/api/model/find"),
    /** With `open`, the session is one that somebody has before them for as long as the stream stands. */
    events: ({ open, ...options }: StreamOptions & { open?: SessionId } = {}) =>
      stream(HallEvent, `/api/events${search({ open })}`, options),
    roster: {
      list: () => ask(Roster, "GET", "/api/roster"),
      /** By name, which may be that of a folder whose manifest cannot be read. */
      get: (member: string) => ask(Member, "GET", memberPath(member)),
      add: (member: AddMember) => ask(Member, "POST", "/api/roster", { body: member }),
      /** Answers where its folder is kept. */
      remove: (member: string) => ask(RemovedMember, "DELETE", memberPath(member)),
      restart: (member: string) => ask(Member, "POST", `${memberPath(member)}/restart`),
      logs: (member: string) => ask(MemberLogs, "GET", `${memberPath(member)}/logs`),
      accept: (member: string, tools: AcceptTools["tools"]) => ask(Member, "POST", `${memberPath(member)}/accept`, { body: { tools } }),
    },
    tools: {
      /** Going away cancels the call. */
      invoke: (call: InvokeTool, signal?: AbortSignal) =>
        ask(ToolAnswer, "POST", "/api/tools/invoke", { body: call, ...(signal === undefined ? {} : { signal }) }),
      /** Newest first; `saved` tells saved calls and history apart. */
      calls: (query: { limit?: number; cursor?: string; member?: string; tool?: string; saved?: "true" | "false" } = {}) =>
        ask(ToolCallList, "GET", `/api/tools/calls${search(query)}`),
      save: (call: SaveToolCall) => ask(ToolCall, "POST", "/api/tools/calls", { body: call }),
      forget: async (id: ToolCallId): Promise<void> => void (await send("DELETE", `/api/tools/calls/${id}`)),
    },
    sessions: {
      list: ({ status, ...query }: SessionQuery = {}) =>
        ask(SessionList, "GET", `/api/sessions${search({ ...query, status: status === undefined ? undefined : String(status) })}`),
      create: (session: z.input<typeof CreateSession>) => ask(Session, "POST", "/api/sessions", { body: session }),
      get: (id: SessionId, query: { limit?: number; cursor?: string } = {}) =>
        ask(SessionDetail, "GET", `/api/sessions/${id}${search(query)}`),
      change: (id: SessionId, changes: ChangeSession) => ask(Session, "PATCH", `/api/sessions/${id}`, { body: changes }),
      /** With `queue`, it waits for its turn where the session is busy. */
      send: (id: SessionId, text: string, { queue }: { queue?: boolean } = {}): Promise<{ messageId: MessageId }> =>
        ask(MessageAccepted, "POST", `/api/sessions/${id}/messages`, { body: { text, ...(queue === undefined ? {} : { queue }) } }),
      queue: {
        list: (id: SessionId) => ask(MessageQueue, "GET", `/api/sessions/${id}/queue`),
        send: (id: SessionId) => ask(MessageAccepted, "POST", `/api/sessions/${id}/queue/send`),
        remove: async (id: SessionId, messageId: MessageId): Promise<void> =>
          void (await send("DELETE", `/api/sessions/${id}/queue/${messageId}`)),
      },
      complete: (id: SessionId) => ask(Session, "POST", `/api/sessions/${id}/complete`),
      renew: (id: SessionId) => ask(Session, "POST", `/api/sessions/${id}/renew`),
      stop: (id: SessionId) => ask(Session, "POST", `/api/sessions/${id}/stop`),
      remove: async (id: SessionId): Promise<void> => void (await send("DELETE", `/api/sessions/${id}`)),
      events: (id: SessionId, options: StreamOptions = {}) => stream(SessionEvent, `/api/sessions/${id}/events`, options),
      ...createSessionFilesClient({ send, ask }),
    },
    jobs: createJobsClient({ send, ask, stream, search }),
    runs: createRunsClient({ ask, send, stream }),
    approvals: createApprovalsClient({ ask, search }),
  };
}

export type SessionQuery = {
  limit?: number;
  cursor?: string;
  /** One, or any of some. */
  status?: SessionStatus | readonly SessionStatus[];
  /** Only those whose last answer failed, or only those where it did not. */
  failed?: boolean;
  q?: string;
  member?: string;
};

/** In the hall's own process there is no address; the handler wants an absolute one all the same. */
const absolute = (baseUrl: string, path: string): string =>
  baseUrl === "" && !("location" in globalThis) ? `http://hall.internal${path}` : `${baseUrl}${path}`;

/** A hall that took the request and then said nothing may have done all of it, so nobody is told that there is none. */
function whyNoAnswer(cause: unknown, address: string): string {
  const { code } = Failure.parse(cause);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "ETIMEDOUT")
    return `The hall at ${address} did not answer in time. It may still be at work on what it was asked.`;
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET")
    return `The hall at ${address} went away before it answered. See whether it is open with: guild-hall status`;
  return `No hall answers at ${address}. Start one with: guild-hall serve`;
}

/** Node's connections name their failure themselves, its `fetch` in the cause, and browsers not at all. */
const Failure = z
  .union([z.object({ code: z.string() }), z.object({ cause: z.object({ code: z.string() }) }).transform(({ cause }) => cause)])
  .catch({ code: "" });

const memberPath = (member: string): string => `/api/roster/${addressPart(member)}`;

function search(query: Record<string, string | number | boolean | undefined>): string {
  const present = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)] as [string, string]]));
  return present.length === 0 ? "" : `?${new URLSearchParams(present).toString()}`;
}

const notHall = (address: string, cause: unknown): HallError =>
  new HallError(
    "hall_unreachable",
    `Another program, or another version of Guild Hall, listens at ${address}. Stop it, or restart the hall: guild-hall serve`,
    { cause },
  );

async function errorOf(response: Response, address: string): Promise<HallError> {
  const problem = Problem.safeParse(await response.json().catch(() => null));
  if (!problem.success && address !== "") return notHall(address, problem.error);
  if (!problem.success) return new HallError("internal", `The hall answered ${response.status} with no reason.`);
  const { code, detail, issues, reached } = problem.data;
  return new HallError(code, detail, { details: { ...(issues === undefined ? {} : { issues }), ...reached } });
}
