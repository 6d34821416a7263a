import { z } from "zod";
import { MemberName, ToolCallId } from "./ids.ts";
import { PageQuery } from "./page.ts";

const toolName = z.string("must be the name of a tool").min(1, "must be the name of a tool").max(512, "must have at most 512 characters");
const input = z.record(z.string(), z.unknown(), "must be an object");

export const InvokeTool = z.strictObject({ member: MemberName, tool: toolName, input: input.default({}) });
export type InvokeTool = z.infer<typeof InvokeTool>;

/** A call a person made or saved. What the tool answered is not kept, only how it went. */
export const ToolCall = z.object({
  id: ToolCallId,
  member: MemberName,
  tool: z.string(),
  input,
  /** Given to a call that is saved; null for history. */
  name: z.string().nullable(),
  at: z.iso.datetime(),
  /** Null for a call that was saved without being made. */
  outcome: z
    .object({
      isError: z.boolean(),
      durationMs: z.number(),
      /** The beginning of the answer's text, or why there was none. */
      summary: z.string(),
    })
    .nullable(),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const ToolCallQuery = PageQuery.extend({
  member: MemberName.optional().describe("only those of this guild member"),
  tool: toolName.optional().describe("only those of this tool"),
  saved: z
    .enum(["true", "false"], "must be true or false")
    .optional()
    .describe("only those that were saved under a name, or only those that were made"),
});
export type ToolCallQuery = z.infer<typeof ToolCallQuery>;

export const ToolCallList = z.object({ calls: z.array(ToolCall), nextCursor: z.string().nullable() });
export type ToolCallList = z.infer<typeof ToolCallList>;

export const SaveToolCall = InvokeTool.extend({
  name: z.string("must be text").trim().min(1, "must not be empty").max(200, "must have at most 200 characters"),
});
export type SaveToolCall = z.infer<typeof SaveToolCall>;
