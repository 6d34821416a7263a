import type { ArtifactStore } from "../../core/session/artifact-store.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { ArtifactList, ArtifactPath, ArtifactReceived, UploadArtifact } from "../../schema/artifact.ts";
import type { SessionId } from "../../schema/ids.ts";
import { artifactResponse } from "./artifact-response.ts";
import { OneSession } from "./one-session.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

const OneArtifact = OneSession.extend({ path: ArtifactPath.describe("where the file lies below `artifacts/`, slashes included") });

export type ArtifactDeps = {
  sessions: Pick<Sessions, "get">;
  artifacts: ArtifactStore;
  /** A file has come to the session through this API. */
  onArtifactAdded: (id: SessionId) => void;
};

export function artifactRoutes({ sessions, artifacts, onArtifactAdded }: ArtifactDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}/artifacts",
      summary: "The files of a session, by path",
      params: OneSession,
      answer: { status: 200, schema: ArtifactList },
      errors: ["not_found"],
      handle: async ({ params }) => {
        await sessions.get(params.id);
        return artifacts.list(params.id);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{id}/artifacts",
      summary: "Send a file to a session, in base64 and piece by piece; the first answer says under which `upload` the others go",
      params: OneSession,
      body: UploadArtifact,
      answer: { status: 200, schema: ArtifactReceived },
      errors: ["not_found", "conflict"],
      handle: async ({ params, body: { data, upload, ...piece } }) => {
        await sessions.get(params.id);
        const received = await artifacts.receive(params.id, { ...piece, upload, data: Buffer.from(data, "base64") });
        if (received.artifact !== null) onArtifactAdded(params.id);
        return received;
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{id}/artifacts/{path}",
      summary: "A file of a session, to be saved and never to be run; takes a Range",
      params: OneArtifact,
      headers: { Range: "one part of the file, as `bytes=0-1023`: answered with 206" },
      answer: { status: 200, contentType: "application/octet-stream" },
      errors: ["not_found"],
      handle: async ({ params, request }) => {
        await sessions.get(params.id);
        return artifactResponse(await artifacts.open(params.id, params.path), request);
      },
    }),
  ];
}
