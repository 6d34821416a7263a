import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HallError } from "../../../schema/hall-error.ts";
import type { BundledStamp } from "./bundled-stamps.ts";
import { readManifest } from "./manifest-file.ts";
import { hashOf, memberFiles } from "./member-files.ts";

/** A member as the hall brings it. */
export type ShippedMember = { stamp: BundledStamp; contents: ReadonlyMap<string, Buffer> };

/** Null for a folder that is no member. */
export async function readShipped(folder: string): Promise<ShippedMember | null> {
  const read = await readManifest(folder);
  if (read === null) return null;
  if (read.manifest === null) throw new HallError("internal", read.problem);
  const contents = new Map<string, Buffer>();
  for await (const { path, isFile } of memberFiles(folder)) if (isFile) contents.set(path, await readFile(join(folder, path)));
  const files = Object.fromEntries([...contents].map(([path, bytes]) => [path, [hashOf(bytes)]]));
  return { contents, stamp: { version: read.manifest.version, files, withheld: null, isRemoved: false } };
}
