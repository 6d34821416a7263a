import { z } from "zod";

export const BuiltInTool = z.enum(["Read", "Grep", "Glob", "Write", "Edit", "WebSearch", "WebFetch"]);
export type BuiltInTool = z.infer<typeof BuiltInTool>;

/** Who runs: what an agent is told and what it may use. A run keeps the profile it began with; edits count for the next run. */
export const AgentProfile = z.object({
  instructions: z.string(),
  builtInTools: z.array(BuiltInTool),
  /** By name. The tools themselves come from where they live, each time a process starts. */
  toolServers: z.array(z.string()),
  /** Relative to the folder of the run's owner. */
  folders: z.object({ cwd: z.string(), read: z.array(z.string()), write: z.array(z.string()) }),
  /** For all processes of the run together. Null is no limit. */
  limits: z.object({ maxTurns: z.number(), maxBudgetUsd: z.number().nullable() }),
  /** Null lets the backend choose. */
  model: z.string().nullable(),
});
export type AgentProfile = z.infer<typeof AgentProfile>;
