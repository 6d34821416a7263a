import { HallError } from "../../schema/hall-error.ts";
import { parseJson } from "../../schema/parse-json.ts";

const maxBodyBytes = 1024 * 1024;
const json = "application/json";

/** The parsed JSON body. Insists on the JSON content type, which no form of another site can send, and on a bounded size. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = typeOf(request);
  if (type !== json) throw wrongType(json, type);
  const bytes = await readBounded(request);
  try {
    return parseJson(bytes.toString("utf8"));
  } catch (cause) {
    if (cause instanceof HallError) throw cause;
    throw new HallError("bad_request", "The body of this request is not valid JSON.", { cause });
  }
}

/** The body as it is, for the few addresses that take text. No form of another site can send these types either. */
export async function readTextBody(request: Request, wanted: string): Promise<string> {
  const type = typeOf(request);
  if (type !== wanted) throw wrongType(wanted, type);
  const bytes = await readBounded(request);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new HallError("bad_request", "The body of this request is not text in UTF-8.", { cause });
  }
}

/** For what takes no body: none needs no type, and one of another type was sent by something that is not ours. */
export function refuseOtherBody(request: Request): void {
  const type = typeOf(request);
  if (type !== undefined && type !== json) throw wrongType(json, type);
}

const typeOf = (request: Request): string | undefined => request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();

const wrongType = (wanted: string, type: string | undefined): HallError =>
  new HallError("unsupported_media_type", `Send the body as ${wanted}, not as ${type ?? "nothing"}.`);

async function readBounded(request: Request): Promise<Buffer> {
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
  return Buffer.concat(chunks);
}
