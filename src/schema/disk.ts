import { z } from "zod";

export const DiskPart = z.object({
  name: z.enum(["sessions", "transcripts", "agent", "jobs", "members", "state", "index", "logs"]),
  /** What it takes on the disk, not what is written in it. */
  bytes: z.int().nonnegative(),
  files: z.int().nonnegative(),
  /** False where not everything was looked at in time: it takes at least this much. */
  isWhole: z.boolean(),
});
export type DiskPart = z.infer<typeof DiskPart>;

/** What a home folder takes. Measured in the background, and then good for a while. */
export const DiskUsage = z.object({
  measuredAt: z.iso.datetime(),
  freeBytes: z.int().nonnegative(),
  parts: z.array(DiskPart),
  retention: z.object({ completedSessionDays: z.int().nullable(), inactiveSessionDays: z.int().nullable() }),
});
export type DiskUsage = z.infer<typeof DiskUsage>;
