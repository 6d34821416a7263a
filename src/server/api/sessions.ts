import { z } from "zod";
import type { Sessions } from "../../core/session/sessions.ts";
import { MemberName, MessageId } from "../../schema/ids.ts";
import { PageQuery } from "../../schema/page.ts";
import {
  ChangeSession,
  CreateSession,
  MessageAccepted,
  MessageQueue,
  SendMessage,
  Session,
  SessionDetail,
  SessionList,
  SessionStatus,
} from "../../schema/session.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import type { EventStreams } from "../event-streams.ts";
import { OneSession } from "./one-session.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";
import { someOf } from "./some-of.ts";

const ListQuery = PageQuery.extend({
  status: someOf(SessionStatus),
  failed: z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .optional()
    .describe("only those that are idle after a query that failed, or only the others; one that was stopped or interrupted has not failed"),
  q: z.string().max(200).optional().describe("only those with all these words in their name or in one message, in any order and case"),
  member: MemberName.optional().describe("only those that have this guild member"),
});

export function sessionRoutes({ sessions, streams }: { sessions: Sessions; streams: EventStreams }): Route[] {
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
      summary: "Create a session; limits above the hall's own need the person's key",
      body: CreateSession,
      answer: { status: 201, schema: Session },
      errors: ["person_required"],
      handle: ({ body, isPerson }) => sessions.create(body, { isPerson }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}",
      summary:
        "A session and a page of its messages, newest page first. A page ends before its limit where it would be larger than 1 MiB; a message that is larger than a page is cut to about 4,000,000 characters, pictures apart",
      params: OneSession,
      query: PageQuery,
      answer: { status: 200, schema: SessionDetail },
      errors: ["not_found"],
      handle: async ({ params, query }) => ({ session: await sessions.get(params.id), ...(await sessions.messages(params.id, query)) }),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/sessions/{id}",
      summary:
        "Change a session's name, members, model or limits; what is left out stays, and null takes a limit away, and raising one needs the person's key",
      params: OneSession,
      body: ChangeSession,
      answer: { status: 200, schema: Session },
      errors: ["not_found", "person_required"],
      handle: ({ params, body, isPerson }) => sessions.change(params.id, body, { isPerson }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/sessions/{id}",
      summary: "Delete a session and its files",
      params: OneSession,
      answer: { status: 204 },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => sessions.remove(params.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/messages",
      summary: "Send a message; the answer comes over the session's stream",
      params: OneSession,
      body: SendMessage,
      answer: { status: 202, schema: MessageAccepted },
      errors: ["not_found", "conflict", "budget"],
      handle: ({ params, body }) => sessions.send(params.id, body),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/stop",
      summary: "Stop the running query",
      params: OneSession,
      answer: { status: 200, schema: Session },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => sessions.stop(params.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/complete",
      summary: "Say that the work of a session is done; refused while messages wait in it",
      params: OneSession,
      answer: { status: 200, schema: Session },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => sessions.complete(params.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/renew",
      summary: "Begin a new conversation on the history and context of an expired session",
      params: OneSession,
      answer: { status: 200, schema: Session },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => sessions.renew(params.id),
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}/queue",
      summary: "The messages that wait for their turn",
      params: OneSession,
      answer: { status: 200, schema: MessageQueue },
      errors: ["not_found"],
      handle: async ({ params }) => ({ messages: await sessions.queue.list(params.id) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/queue/send",
      summary: "Send the first waiting message now, after a stop or a failure held it back",
      params: OneSession,
      answer: { status: 202, schema: MessageAccepted },
      errors: ["not_found", "conflict", "budget"],
      handle: ({ params }) => sessions.queue.sendNext(params.id),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/sessions/{id}/queue/{messageId}",
      summary: "Take a waiting message back",
      params: OneSession.extend({ messageId: MessageId.describe("the id of a message that waits: `msg_` and 26 letters and digits") }),
      answer: { status: 204 },
      errors: ["not_found"],
      handle: ({ params }) => sessions.queue.remove(params.id, params.messageId),
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}/events",
      summary: "The running query as a stream, from its start or from Last-Event-ID",
      params: OneSession,
      headers: { "Last-Event-ID": "the `id` of the last event that was received: the stream goes on behind it" },
      answer: { status: 200, schema: SessionEvent, contentType: "text/event-stream" },
      errors: ["not_found"],
      handle: async ({ params, request }) => {
        const events = await sessions.events(params.id, request.headers.get("last-event-id") ?? undefined);
        return streams.respond(events, streams.enter());
      },
    }),
  ];
}
