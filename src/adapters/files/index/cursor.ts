import { z } from "zod";
import { HallError } from "../../../schema/hall-error.ts";
import type { Position } from "./entry-order.ts";

const Parts = z.tuple([z.string(), z.string()]);

/** A position as clients carry it. */
export const encodeCursor = ({ rank, name }: Position): string => Buffer.from(JSON.stringify([rank, name])).toString("base64url");

export function decodeCursor(cursor: string): Position {
  const wrong = (cause: unknown) =>
    new HallError("bad_request", "This cursor is not one the hall gave. Start again without a cursor.", { cause });
  try {
    const [rank, name] = Parts.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { rank, name };
  } catch (cause) {
    throw wrong(cause);
  }
}
