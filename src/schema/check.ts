import { z } from "zod";

/** One thing `guild-hall doctor` looked at: what was found and, where something is amiss, what to do about it. */
export const Check = z.object({
  id: z.enum(["node", "git", "home", "config", "port", "model", "members", "processes", "disk"]),
  status: z.enum(["ok", "info", "warn", "fail"]),
  title: z.string(),
  detail: z.string(),
  advice: z.string().nullable(),
});
export type Check = z.infer<typeof Check>;

export const CheckList = z.object({ checks: z.array(Check) });
export type CheckList = z.infer<typeof CheckList>;
