import { z } from "zod";

export const WorkerName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/, "must be lowercase letters and digits in parts that one dash or underscore joins")
  .brand<"WorkerName">();
export type WorkerName = z.infer<typeof WorkerName>;

/** A folder that a worker reaches with the tools of the server `files`. */
const Sandbox = z.strictObject({
  path: z
    .string()
    .min(1)
    .refine((path) => !path.startsWith("/") && !path.split("/").includes("..") && !/\p{Cc}/u.test(path), "must be relative, without .."),
  mode: z.enum(["ro", "rw"]).default("ro"),
});

const ToolRule = z.strictObject({ approval_required: z.boolean().default(false) });

/** The content of `<home>/workers/<name>.yaml`. */
export const WorkerDefinition = z.strictObject({
  name: WorkerName,
  description: z.string().default(""),
  instructions: z.string().min(1),
  model: z.string().min(1).nullable().default(null),
  allow_workers: z.array(WorkerName).default([]),
  built_in_tools: z.array(z.enum(["Read", "Grep", "Glob", "Write", "Edit"])).default([]),
  sandboxes: z.record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), Sandbox).default({}),
  tool_rules: z.record(z.string(), ToolRule).default({}),
  limits: z.strictObject({ max_turns: z.int().min(1).default(150), max_budget_usd: z.number().positive().default(2.5) }).prefault({}),
});
export type WorkerDefinition = z.infer<typeof WorkerDefinition>;
