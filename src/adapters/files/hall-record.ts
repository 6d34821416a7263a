import { stat } from "node:fs/promises";
import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { defineDocument } from "./document.ts";
import type { Layout } from "./layout.ts";
import { ProcessIdentity } from "../processes/process-identity.ts";

/** Who holds the home. The lock is the truth; this only says whom to talk to. */
export const HallRecord = z.object({
  process: ProcessIdentity,
  address: z.string().nullable(),
  hallVersion: z.string(),
  since: z.iso.datetime(),
  /** The folder it was written in, which tells a home from its copy. Earlier versions did not say. */
  folder: z.string().optional(),
});
export type HallRecord = z.infer<typeof HallRecord>;

export const hallRecord = defineDocument(HallRecord);

export type FoundRecord = { record: HallRecord; isOfThisHome: boolean };

/** Every hall writes its record anew, so one that somebody broke, or that a later version left, says as much as none. */
export async function readHallRecord(layout: Layout): Promise<FoundRecord | null> {
  try {
    const record = await hallRecord.read(layout.hallRecord);
    if (record === null) return null;
    return { record, isOfThisHome: record.folder === undefined || record.folder === (await folderIdentity(layout.state)) };
  } catch (error) {
    if (error instanceof HallError && ["file_broken", "home_newer"].includes(error.code)) return null;
    throw error;
  }
}

/** The same for as long as a folder exists, wherever it is moved; a copy of it has another. */
export async function folderIdentity(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}:${ino}`;
}
