import type { z } from "zod";
import { ArtifactList, ArtifactReceived, uploadChunkBytes } from "../schema/artifact.ts";
import type { Artifact } from "../schema/artifact.ts";
import { HallError } from "../schema/hall-error.ts";
import type { SessionId, UploadId } from "../schema/ids.ts";
import { addressPart } from "./address-part.ts";

/** What goes with a request: `body` as JSON, or `text` as it is. */
export type Sent = { body?: unknown; text?: string; signal?: AbortSignal; headers?: Record<string, string> };
type Transport = {
  send: (method: string, path: string, more?: Sent) => Promise<Response>;
  ask: <Answer>(schema: z.ZodType<Answer>, method: string, path: string, more?: Sent) => Promise<Answer>;
};

/** The files of a session: the context file that it shares with the person, and its artifacts. */
export function createSessionFilesClient({ send, ask }: Transport) {
  return {
    context: {
      async read(id: SessionId): Promise<{ text: string; etag: string }> {
        const response = await send("GET", `/api/sessions/${id}/context`);
        return { text: await response.text(), etag: etagOf(response) };
      },
      /** `etag` is that of the content this was made of; `precondition_failed` says that it is no longer the present one. */
      async write(id: SessionId, text: string, etag: string): Promise<{ etag: string }> {
        const headers = { "if-match": `"${etag}"` };
        return { etag: etagOf(await send("PUT", `/api/sessions/${id}/context`, { text, headers })) };
      },
    },
    artifacts: {
      list: (id: SessionId) => ask(ArtifactList, "GET", `/api/sessions/${id}/artifacts`),
      /** Where a page finds it: as a download, or as the source of a picture. */
      address: artifactAddress,
      /** With `most`, only so many bytes from its beginning. */
      read(id: SessionId, path: string, { most, signal }: { most?: number; signal?: AbortSignal } = {}): Promise<Response> {
        return send("GET", artifactAddress(id, path), {
          ...(most === undefined ? {} : { headers: { range: `bytes=0-${most - 1}` } }),
          ...(signal === undefined ? {} : { signal }),
        });
      },
      /** Answers what it is called now, which may not be what was asked for. */
      async add(id: SessionId, path: string, file: Blob, { onProgress, signal }: AddOptions = {}): Promise<Artifact> {
        let upload: UploadId | undefined;
        for (let offset = 0; ; offset += uploadChunkBytes) {
          const data = base64(new Uint8Array(await file.slice(offset, offset + uploadChunkBytes).arrayBuffer()));
          const done = offset + uploadChunkBytes >= file.size;
          const received = await ask(ArtifactReceived, "POST", `/api/sessions/${id}/artifacts`, {
            body: { path, offset, data, done, ...(upload === undefined ? {} : { upload }) },
            ...(signal === undefined ? {} : { signal }),
          });
          onProgress?.(received.received);
          if (received.artifact !== null) return received.artifact;
          upload = received.upload;
        }
      },
    },
  };
}

type AddOptions = { onProgress?: (bytes: number) => void; signal?: AbortSignal };

const artifactAddress = (id: SessionId, path: string): string =>
  `/api/sessions/${id}/artifacts/${path.split("/").map(addressPart).join("/")}`;

function etagOf(response: Response): string {
  const etag = /^"(.*)"$/.exec(response.headers.get("etag") ?? "")?.[1];
  if (etag === undefined) throw new HallError("internal", "The hall answered without saying which content this is.");
  return etag;
}

const digits = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

/** By hand: `btoa` wants a text to begin with and is slow in Node, and not every browser has `toBase64`. */
function base64(bytes: Uint8Array): string {
  const coded = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill("=".charCodeAt(0));
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    const present = Math.min(3, bytes.length - from);
    for (let digit = 0; digit <= present; digit += 1) coded[to + digit] = digits[(group >> (18 - 6 * digit)) & 63] ?? 0;
  }
  return new TextDecoder().decode(coded);
}
