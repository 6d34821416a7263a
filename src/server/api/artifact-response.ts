import type { OpenArtifact } from "../../core/session/artifact-store.ts";
import { HallError } from "../../schema/hall-error.ts";

/** What is served: when it was changed does not matter. */
export type ServedFile = Pick<OpenArtifact, "read" | "close"> & { artifact: Omit<OpenArtifact["artifact"], "modifiedAt"> };

/** A file as an attachment, read as the client takes it. Whatever becomes of the answer, the file is closed. */
export async function artifactResponse(file: ServedFile, request: Request): Promise<Response> {
  const { size, path, mimeType } = file.artifact;
  const range = rangeOf(request.headers.get("range"), size);
  const headers = {
    "content-type": servedType(mimeType),
    "content-disposition": disposition(path.split("/").at(-1) ?? path),
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "accept-ranges": "bytes",
  };
  if (range === "unsatisfiable") {
    await file.close();
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${size}` } });
  }
  const { start, end } = range ?? { start: 0, end: size };
  const part = range === null ? {} : { "content-range": `bytes ${start}-${end - 1}/${size}` };
  return new Response(streamOf(file, start, end), {
    status: range === null ? 200 : 206,
    headers: { ...headers, ...part, "content-length": String(end - start) },
  });
}

/** A range is half open here. Several at once, or one in other units, are answered with the whole file, as one may. */
function rangeOf(header: string | null, size: number): { start: number; end: number } | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : "unsatisfiable";
}

/** Pictures, sound and film may be shown by a page of ours; text is shown as text, whatever it would do elsewhere; the rest is bytes. */
function servedType(mimeType: string): string {
  if (/^(?:image|audio|video)\//.test(mimeType) || mimeType === "application/pdf") return mimeType;
  const isText = mimeType.startsWith("text/") || /[/+](?:json|jsonl|xml|yaml|toml)$/.test(mimeType);
  return isText ? "text/plain; charset=utf-8" : "application/octet-stream";
}

/** Old clients get the name in ASCII, all others the whole of it. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\u0020-\u007e]|["\\%]/g, "_");
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}

const chunkBytes = 64 * 1024;

function streamOf(file: ServedFile, start: number, end: number): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = position < end ? await file.read(position, Math.min(chunkBytes, end - position)) : null;
          // Its length was promised already, so an answer that ends early must not look complete.
          if (bytes?.length === 0) throw new HallError("conflict", `"${file.artifact.path}" became shorter while it was read.`);
          if (bytes !== null) controller.enqueue(bytes);
          position += bytes?.length ?? 0;
          if (position < end) return;
          await file.close();
          controller.close();
        } catch (error) {
          await file.close();
          throw error;
        }
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}
