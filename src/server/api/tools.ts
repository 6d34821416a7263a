import { z } from "zod";
import type { Roster } from "../../core/roster/roster.ts";
import { ToolCallId } from "../../schema/ids.ts";
import { ToolAnswer } from "../../schema/tool.ts";
import { InvokeTool, SaveToolCall, ToolCall, ToolCallList, ToolCallQuery } from "../../schema/tool-call.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function toolRoutes(roster: Roster): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/tools/invoke",
      summary: "Call a tool of a guild member; going away cancels the call",
      body: InvokeTool,
      answer: { status: 200, schema: ToolAnswer },
      errors: ["not_found", "member_unavailable", "member_failed", "tool_timeout"],
      handle: ({ body, request }) => roster.invoke(body, request.signal),
    }),
    defineRoute({
      method: "GET",
      path: "/api/tools/calls",
      summary: "Calls that people made or saved, newest first",
      query: ToolCallQuery,
      answer: { status: 200, schema: ToolCallList },
      handle: ({ query }) => roster.calls(query),
    }),
    defineRoute({
      method: "POST",
      path: "/api/tools/calls",
      summary: "Save a call under a name",
      body: SaveToolCall,
      answer: { status: 201, schema: ToolCall },
      errors: ["conflict"],
      handle: ({ body }) => roster.saveCall(body),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/tools/calls/{id}",
      summary: "Forget a call",
      params: z.object({ id: ToolCallId.describe("the id of a call: `call_` and 26 letters and digits") }),
      answer: { status: 204 },
      errors: ["not_found"],
      handle: ({ params }) => roster.forgetCall(params.id),
    }),
  ];
}
