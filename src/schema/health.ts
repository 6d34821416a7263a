import { z } from "zod";

export const ModelBackend = z.enum(["claude", "endpoint", "demo"]);
export type ModelBackend = z.infer<typeof ModelBackend>;

/** Which model answers, and how that was decided. `detail` is a sentence and never holds a credential. */
export const ModelInfo = z.object({ backend: ModelBackend, name: z.string(), detail: z.string() });
export type ModelInfo = z.infer<typeof ModelInfo>;

export const Health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  uptimeSeconds: z.number(),
  model: ModelInfo,
});
export type Health = z.infer<typeof Health>;
