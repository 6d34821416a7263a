import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MemberName } from "../../../schema/ids.ts";
import { flushFolder } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { makeFolder, writeFileDurably } from "../durable-write.ts";
import { fileFailure } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import type { Layout } from "../layout.ts";
import type { BundledStamp, BundledStamps } from "./bundled-stamps.ts";
import { comingFolder } from "./coming-folder.ts";
import type { ShippedMember } from "./shipped-member.ts";

export type Copying = { layout: Layout; on: Disk; stamps: BundledStamps; name: MemberName };

/** The first copy. A crash before it is stamped leaves one that is as shipped, which is how it is known again. */
export async function copyMember(what: Copying, shipped: ShippedMember): Promise<void> {
  const { layout, on, stamps, name } = what;
  await throughComingFolder(what, shipped, async (coming) => {
    await on.rename(coming, layout.guildMember(name));
    await flushFolder(layout.guildMembers, on);
  });
  await stamps.write(name, shipped.stamp);
}

/**
 * Everything new is on the disk before the first old file goes, so a full disk leaves the old member whole. While files
 * change places the stamp allows for both, so whatever a crash leaves is still ours and is finished at the next start.
 */
export async function upgradeMember(what: Copying, shipped: ShippedMember, before: BundledStamp): Promise<void> {
  const { layout, on, stamps, name } = what;
  const folder = layout.guildMember(name);
  await throughComingFolder(what, shipped, async (coming) => {
    await stamps.write(name, { ...before, isRemoved: false, files: eitherOf(before.files, shipped.stamp.files) });
    for (const path of shipped.contents.keys()) {
      await makeFolder(dirname(join(folder, path)), on);
      await on.rename(join(coming, path), join(folder, path));
      await flushFolder(dirname(join(folder, path)), on);
    }
    for (const path of Object.keys(before.files)) if (!shipped.contents.has(path)) await removeFile(join(folder, path), on);
  });
  await stamps.write(name, shipped.stamp);
}

async function throughComingFolder(
  { layout, on, name }: Copying,
  shipped: ShippedMember,
  publish: (coming: string) => Promise<void>,
): Promise<void> {
  const coming = await comingFolder(layout, name);
  try {
    for (const [path, bytes] of shipped.contents) {
      await makeFolder(dirname(join(coming, path)), on);
      await writeFileDurably(join(coming, path), bytes, on);
    }
    await publish(coming);
  } catch (error) {
    throw fileFailure(error, layout.guildMember(name));
  } finally {
    await rm(coming, { recursive: true, force: true });
  }
}

function eitherOf(before: BundledStamp["files"], next: BundledStamp["files"]): BundledStamp["files"] {
  const paths = new Set([...Object.keys(before), ...Object.keys(next)]);
  return Object.fromEntries([...paths].map((path) => [path, [...new Set([...(before[path] ?? [null]), ...(next[path] ?? [null])])]]));
}

async function removeFile(path: string, on: Disk): Promise<void> {
  await on.unlink(path).catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
  });
}
