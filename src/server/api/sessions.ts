import { z } from "zod";
import type { Sessions } from "../../core/session/sessions.ts";
import { MemberName, SessionId } from "../../schema/ids.ts";
import { PageQuery } from "../../schema/page.ts";
import { CreateSession, MessageAccepted, SendMessage, Session, SessionDetail, SessionList, SessionStatus } from "../../schema/session.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import type { StreamLimit } from "../stream-limit.ts";
import { eventResponse } from "./event-response.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

const OneSession = z.object({ id: SessionId });
const ListQuery = PageQuery.extend({ status: SessionStatus.optional(), q: z.string().max(200).optional(), member: MemberName.optional() });

export function sessionRoutes({ sessions, streams }: { sessions: Sessions; streams: StreamLimit }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/sessions",
      summary: "Sessions, newest activity first",
      query: ListQuery,
      answer: { status: 200, schema: SessionList },
      handle: ({ query }) => sessions.list(query),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions",
      summary: "Create a session",
      body: CreateSession,
      answer: { status: 201, schema: Session },
      handle: ({ body }) => sessions.create(body),
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}",
      summary: "A session and a page of its messages, newest page first",
      params: OneSession,
      query: PageQuery,
      answer: { status: 200, schema: SessionDetail },
      handle: async ({ params, query }) => ({ session: await sessions.get(params.id), ...(await sessions.messages(params.id, query)) }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/sessions/{id}",
      summary: "Delete a session and its files",
      params: OneSession,
      answer: { status: 204 },
      handle: ({ params }) => sessions.remove(params.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/messages",
      summary: "Send a message; the answer comes over the session's stream",
      params: OneSession,
      body: SendMessage,
      answer: { status: 202, schema: MessageAccepted },
      handle: ({ params, body }) => sessions.send(params.id, body.text),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/stop",
      summary: "Stop the running query",
      params: OneSession,
      answer: { status: 200, schema: Session },
      handle: ({ params }) => sessions.stop(params.id),
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}/events",
      summary: "The running query as a stream, from its start or from Last-Event-ID",
      params: OneSession,
      answer: { status: 200, schema: SessionEvent, contentType: "text/event-stream" },
      handle: async ({ params, request }) => {
        const events = await sessions.events(params.id, request.headers.get("last-event-id") ?? undefined);
        return eventResponse(events, streams.enter());
      },
    }),
  ];
}
