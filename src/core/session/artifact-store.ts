import type { Artifact, ArtifactList, ArtifactPath, ArtifactReceived } from "../../schema/artifact.ts";
import type { SessionId, UploadId } from "../../schema/ids.ts";

/** The port to the files of a session. Nothing outside of its `artifacts/` is ever reached, and no link is followed. */
export interface ArtifactStore {
  list(id: SessionId): Promise<ArtifactList>;
  /** Whoever opens it closes it. */
  open(id: SessionId, path: ArtifactPath): Promise<OpenArtifact>;
  /** Takes a piece of a file. With the last one the file appears, whole and durable, and never in place of another. */
  receive(id: SessionId, piece: ArtifactPiece): Promise<ArtifactReceived>;
}

export type OpenArtifact = {
  artifact: Artifact;
  /** At most `length` bytes from there on; none where the file ends. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
};

export type ArtifactPiece = {
  path: ArtifactPath;
  /** Undefined for the first piece of a file. */
  upload: UploadId | undefined;
  offset: number;
  data: Uint8Array;
  done: boolean;
};
