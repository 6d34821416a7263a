import { HallError } from "../../schema/hall-error.ts";
import type { Disk } from "./disk.ts";
import { writeFileDurably } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import type { Layout } from "./layout.ts";
import { readWholeFile } from "./read-whole-file.ts";

/** The format of the home folder as a whole. Single files have versions of their own and are migrated one by one. */
const homeVersion = 1;

/** The version of a home this program can work with, or null for a new one. */
export async function checkHomeVersion(layout: Layout): Promise<number | null> {
  const text = await readVersion(layout.version);
  if (text === null) return null;
  const found = /^\s*(\d{1,9})\s*$/.exec(text)?.[1];
  if (found === undefined) {
    throw new HallError(
      "file_broken",
      `${layout.version} is broken: it should hold one number. If this is a home of Guild Hall, write ${homeVersion} into it.`,
    );
  }
  if (Number(found) <= homeVersion) return Number(found);
  throw new HallError(
    "home_newer",
    `${layout.home} was written by a newer Guild Hall (format ${found}; this one knows up to ${homeVersion}). Update Guild Hall, or choose another home with --home.`,
    { details: { path: layout.version, found: Number(found), known: homeVersion } },
  );
}

export const writeHomeVersion = (layout: Layout, on: Disk): Promise<void> => writeFileDurably(layout.version, `${homeVersion}\n`, on);

async function readVersion(path: string): Promise<string | null> {
  try {
    return (await readWholeFile(path)).toString();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw fileFailure(error, path);
  }
}
