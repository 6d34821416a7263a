import { z } from "zod";
import { HallError } from "../../../schema/hall-error.ts";
import type { Position } from "./entry.ts";
import type { Moment } from "./moves.ts";

/** Where a reader stands, and when the reading began. */
export type Bookmark = { after: Position; began: Moment };

const Parts = z.tuple([z.string(), z.string(), z.string(), z.int().nonnegative()]);

/** A bookmark as clients carry it. */
export function encodeCursor({ after, began }: Bookmark): string {
  const parts: z.infer<typeof Parts> = [after.rank, after.name, began.life, began.moves];
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

export function decodeCursor(cursor: string): Bookmark {
  try {
    const [rank, name, life, moves] = Parts.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { after: { rank, name }, began: { life, moves } };
  } catch (cause) {
    throw new HallError("bad_request", "This cursor is not one the hall gave. Start again without a cursor.", { cause });
  }
}
