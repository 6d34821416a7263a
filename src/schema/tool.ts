import { z } from "zod";

const JsonSchema = z.record(z.string(), z.unknown());

/** A tool as its member describes it. All of it is somebody else's text. */
export const ToolDefinition = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  /** JSON Schema of an object. */
  inputSchema: JsonSchema,
  outputSchema: JsonSchema.optional(),
  annotations: z
    .object({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional(),
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;

/** One piece of what a tool answered. */
export const ToolContent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    size: z.number().optional(),
  }),
  z.object({
    type: z.literal("resource"),
    resource: z.object({ uri: z.string(), mimeType: z.string().optional(), text: z.string().optional(), blob: z.string().optional() }),
  }),
]);
export type ToolContent = z.infer<typeof ToolContent>;

export const ToolAnswer = z.object({
  content: z.array(ToolContent),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  /** The tool itself says that it failed; what it says is in `content`. */
  isError: z.boolean(),
  durationMs: z.number().nonnegative(),
});
export type ToolAnswer = z.infer<typeof ToolAnswer>;
