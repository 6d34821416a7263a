import { z } from "zod";
import type { Roster } from "../../core/roster/roster.ts";
import { MemberName } from "../../schema/ids.ts";
import { AcceptTools, AddMember, Member, MemberLogs, RemovedMember, Roster as MemberList } from "../../schema/roster.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

const OneMember = z.object({ member: MemberName.describe("the name of a guild member") });

export function rosterRoutes(roster: Roster): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/roster",
      summary: "All guild members with their tools",
      answer: { status: 200, schema: MemberList },
      handle: async () => ({ members: roster.list() }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/roster",
      summary: "Add a member by its command, which a person has seen and confirmed",
      body: AddMember,
      needsPerson: true,
      answer: { status: 201, schema: Member },
      errors: ["conflict"],
      handle: ({ body }) => roster.add(body),
    }),
    defineRoute({
      method: "GET",
      path: "/api/roster/{member}",
      summary: "One guild member",
      params: OneMember,
      answer: { status: 200, schema: Member },
      errors: ["not_found"],
      handle: async ({ params }) => roster.get(params.member),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/roster/{member}",
      summary: "End a member and take its folder out of the hall; the folder is kept",
      params: OneMember,
      needsPerson: true,
      answer: { status: 200, schema: RemovedMember },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => roster.remove(params.member),
    }),
    defineRoute({
      method: "POST",
      path: "/api/roster/{member}/restart",
      summary: "End a member and start it anew",
      params: OneMember,
      needsPerson: true,
      answer: { status: 200, schema: Member },
      errors: ["not_found", "conflict"],
      handle: ({ params }) => roster.restart(params.member),
    }),
    defineRoute({
      method: "GET",
      path: "/api/roster/{member}/logs",
      summary: "What a member wrote to stderr last",
      params: OneMember,
      answer: { status: 200, schema: MemberLogs },
      errors: ["not_found"],
      handle: async ({ params }) => roster.logs(params.member),
    }),
    defineRoute({
      method: "POST",
      path: "/api/roster/{member}/accept",
      summary: "Accept new and changed tools, each by the hash of what was seen",
      params: OneMember,
      body: AcceptTools,
      needsPerson: true,
      answer: { status: 200, schema: Member },
      errors: ["not_found", "conflict"],
      handle: ({ params, body }) => roster.accept(params.member, body.tools),
    }),
  ];
}
