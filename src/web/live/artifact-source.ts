import { createHallClient } from "../../client/hall-client.ts";
import type { SessionId } from "../../schema/ids.ts";

/** Whose files they are: where a page finds one, and how it reads the beginning of it. */
export type ArtifactSource = {
  address: (path: string) => string;
  read: (path: string, part: { most: number; signal: AbortSignal }) => Promise<Response>;
};

export function sessionFiles(id: SessionId): ArtifactSource {
  const { artifacts } = createHallClient({ baseUrl: "" }).sessions;
  return { address: (path) => artifacts.address(id, path), read: (path, part) => artifacts.read(id, path, part) };
}

export function jobFiles(worker: string, jobId: string): ArtifactSource {
  const { jobs } = createHallClient({ baseUrl: "" });
  return {
    address: (path) => jobs.artifactAddress(worker, jobId, path),
    read: (path, part) => jobs.readArtifact(worker, jobId, path, part),
  };
}
