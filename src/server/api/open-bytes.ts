import type { ArtifactPath } from "../../schema/artifact.ts";
import type { ServedFile } from "./artifact-response.ts";

/** A file that is in memory already, to be answered like one on the disk. */
export const openBytes = ({ path, mimeType, bytes }: { path: ArtifactPath; mimeType: string; bytes: Uint8Array }): ServedFile => ({
  artifact: { path, mimeType, size: bytes.length },
  read: async (position, length) => bytes.subarray(position, position + length),
  close: async () => undefined,
});
