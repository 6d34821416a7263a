import { z } from "zod";
import { UploadId } from "./ids.ts";

const longestName = 255;
const deepest = 16;

/**
 * Where an artifact lies below its session's `artifacts/`, with `/` between folders. What could lead elsewhere, could not
 * stand in an address, or would show a person another name than it has is not a path.
 */
export const ArtifactPath = z
  .string("must be a path")
  .min(1, "must not be empty")
  .max(1024, "must have at most 1024 characters")
  .refine((path) => path.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f\\\u202a-\u202e\u2066-\u2069]/.test(path), {
    message: "must not contain control characters or backslashes",
  })
  .refine((path) => path.split("/").every((name) => name !== "" && name !== "." && name !== ".."), {
    message: "must be names with / between them, without . and ..",
  })
  .refine((path) => path.split("/").every((name) => new TextEncoder().encode(name).length <= longestName), {
    message: `must be made of names of at most ${longestName} bytes`,
  })
  .refine((path) => path.split("/").length <= deepest, { message: `must be at most ${deepest} names` })
  .brand<"ArtifactPath">();
export type ArtifactPath = z.infer<typeof ArtifactPath>;

export const Artifact = z.object({
  path: ArtifactPath,
  size: z.int().nonnegative(),
  modifiedAt: z.iso.datetime(),
  /** By its name alone. */
  mimeType: z.string(),
});
export type Artifact = z.infer<typeof Artifact>;

export const ArtifactList = z.object({
  /** By path. */
  artifacts: z.array(Artifact),
  /** There is more in the folder than this: too many files, folders too deep, or things that are not served, such as links. */
  truncated: z.boolean(),
});
export type ArtifactList = z.infer<typeof ArtifactList>;

export const maxArtifactBytes = 100 * 1024 * 1024;

/** So many bytes of a file go into one request: in base64, with what is around them, they stay below the limit of a body. */
export const uploadChunkBytes = 720 * 1024;

/** One piece of a file on its way in. The first has no `upload` and gets one; sending a piece again does no harm. */
export const UploadArtifact = z.strictObject({
  /** Where it shall lie. A name that is taken gets a number. */
  path: ArtifactPath,
  upload: UploadId.optional(),
  offset: z.int("must be a whole number").nonnegative("must not be negative").max(maxArtifactBytes, "must be within 100 MiB"),
  data: z.base64("must be base64"),
  /** With the last piece: the file is complete. */
  done: z.boolean("must be true or false"),
});
export type UploadArtifact = z.infer<typeof UploadArtifact>;

export const ArtifactReceived = z.object({
  upload: UploadId,
  received: z.int().nonnegative(),
  /** Set when the file is complete: what it is called now. */
  artifact: Artifact.nullable(),
});
export type ArtifactReceived = z.infer<typeof ArtifactReceived>;
