import { HallError } from "../../schema/hall-error.ts";

const maxBodyBytes = 1024 * 1024;

/** The parsed JSON body. Insists on the JSON content type, which no form of another site can send, and on a bounded size. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = typeOf(request);
  if (type !== "application/json") throw notJson(type);
  const text = await readBounded(request);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HallError("bad_request", "The body of this request is not valid JSON.", { cause });
  }
}

/** For what takes no body: none needs no type, and one of another type was sent by something that is not ours. */
export function refuseOtherBody(request: Request): void {
  const type = typeOf(request);
  if (type !== undefined && type !== "application/json") throw notJson(type);
}

const typeOf = (request: Request): string | undefined => request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();

const notJson = (type: string | undefined): HallError =>
  new HallError("unsupported_media_type", `Send the body as application/json, not as ${type ?? "nothing"}.`);

async function readBounded(request: Request): Promise<string> {
  const tooLarge = () => new HallError("too_large", "The body of this request is larger than 1 MiB.");
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The length header may be missing or wrong, so the bytes themselves are counted too.
  const body: AsyncIterable<Uint8Array> | null = request.body;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
