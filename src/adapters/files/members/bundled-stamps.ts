import { z } from "zod";
import { createTurns } from "../../../core/in-turn.ts";
import type { MemberName } from "../../../schema/ids.ts";
import type { Disk } from "../disk.ts";
import { defineDocument } from "../document.ts";
import type { Layout } from "../layout.ts";

/** Upgrades remove what is not shipped any more, so no path here may lead elsewhere, or into a member's work. */
const filePath = z
  .string()
  .regex(/^(?!(?:jobs|memory)(?:\/|$))[^./\\\0][^/\\\0]*(?:\/[^./\\\0][^/\\\0]*)*$/, "must be the path of a file of the member");

/** What the hall remembers of a member it brought: enough to tell its own copy from one that a person changed. */
export const BundledStamp = z.object({
  version: z.string(),
  /** What each file may be, as SHA-256; null: not there. More than one only while an upgrade is under way. */
  files: z.record(filePath, z.array(z.string().nullable())),
  /** The version a person's edits kept away. */
  withheld: z.string().nullable(),
  /** A person took it away, so it does not come back. */
  isRemoved: z.boolean(),
});
export type BundledStamp = z.infer<typeof BundledStamp>;

export const bundledDocument = defineDocument(z.object({ members: z.record(z.string(), BundledStamp) }));

export type BundledStamps = ReturnType<typeof createBundledStamps>;

export function createBundledStamps({ bundledMembers: path }: Layout, on?: Disk) {
  const inTurn = createTurns<"stamps">();
  const read = async (): Promise<Map<string, BundledStamp>> => new Map(Object.entries((await bundledDocument.read(path))?.members ?? {}));
  return {
    /** Rejects where the file is broken; nothing is written then either. */
    read,
    write: (name: MemberName, stamp: BundledStamp): Promise<void> =>
      inTurn("stamps", async () => bundledDocument.write(path, { members: Object.fromEntries((await read()).set(name, stamp)) }, on)),
    /** Nothing to remember for a member that was never brought. */
    markRemoved: (name: string): Promise<void> =>
      inTurn("stamps", async () => {
        const stamps = await read();
        const stamp = stamps.get(name);
        if (stamp === undefined || stamp.isRemoved) return;
        await bundledDocument.write(path, { members: Object.fromEntries(stamps.set(name, { ...stamp, isRemoved: true })) }, on);
      }),
  };
}
