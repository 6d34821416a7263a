import type { IncomingMessage } from "node:http";
import { HallError } from "../schema/hall-error.ts";

/** Reads a JSON body of at most `limit` bytes. */
export async function readJson(request: IncomingMessage, limit: number): Promise<{ value: unknown; size: number }> {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new HallError("unsupported_media_type", "The body of a request to the model must be application/json.");
  const tooLarge = () => new HallError("too_large", `The body of a request to the model may have at most ${limit} bytes.`);
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  // A request without an encoding set yields buffers only.
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) throw tooLarge();
    parts.push(part);
  }
  try {
    return { value: JSON.parse(Buffer.concat(parts).toString("utf8")), size };
  } catch (cause) {
    throw new HallError("bad_request", "The body of a request to the model is not JSON.", { cause });
  }
}
