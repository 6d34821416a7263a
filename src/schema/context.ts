import { z } from "zod";

/** Larger ones are neither read nor written: it is there for orientation, and all of it goes over the wire at once. */
export const maxContextBytes = 1024 * 1024;

/** What the hall's agent keeps apart in a context file. Each is a heading there; a person may add others or have none of them. */
export const ContextSection = z.enum(["goal", "decisions", "in_progress", "resources"]);
export type ContextSection = z.infer<typeof ContextSection>;

/** The whole file, as a person wrote it. */
export const ContextText = z.string("must be text");
