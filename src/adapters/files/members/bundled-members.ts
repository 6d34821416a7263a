import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HallError } from "../../../schema/hall-error.ts";
import { MemberName } from "../../../schema/ids.ts";
import { disk, flushFolder } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { makeFolder, writeFileDurably } from "../durable-write.ts";
import { fileFailure, systemCode } from "../file-failure.ts";
import type { Layout } from "../layout.ts";
import { createBundledStamps } from "./bundled-stamps.ts";
import type { BundledStamp, BundledStamps } from "./bundled-stamps.ts";
import { comingFolder, sweepComingFolders } from "./coming-folder.ts";
import { readManifest } from "./manifest-file.ts";
import { hashOf, isUntouched, memberFiles } from "./member-files.ts";
import { linkPackages } from "./package-links.ts";

export type BundledMembersDeps = {
  layout: Layout;
  /** The hall's own folder, with `package.json` and `guild-members/`. */
  project: string;
  onProblem: (error: unknown) => void;
  disk?: Disk;
};

/**
 * Brings the hall's own members into the home and keeps them current: an untouched copy is upgraded, an edited one is kept,
 * and one that a person removed stays away. Only for the process that holds the home, before any member runs.
 */
export async function installBundledMembers({ layout, project, onProblem, disk: on = disk }: BundledMembersDeps): Promise<void> {
  const stamps = createBundledStamps(layout, on);
  const source = join(project, "guild-members");
  const attempt = (work: Promise<void>) => work.catch(onProblem);
  await attempt(sweepComingFolders(layout));
  for (const name of await namesIn(source)) await attempt(installOne({ layout, on, stamps, name, from: join(source, name) }));
  await attempt(linkPackages(layout, project));
}

/** A hall without members of its own is a hall too. */
async function namesIn(source: string): Promise<MemberName[]> {
  const entries = await readdir(source, { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
  return entries.flatMap((entry) => (entry.isDirectory() ? [MemberName.safeParse(entry.name).data ?? []].flat() : []));
}

type Installing = { layout: Layout; on: Disk; stamps: BundledStamps; name: MemberName; from: string };

async function installOne(what: Installing): Promise<void> {
  const { layout, stamps, name, from } = what;
  const shipped = await readShipped(from);
  if (shipped === null) return;
  const stamp = (await stamps.read()).get(name);
  const folder = layout.guildMember(name);
  const there = await kindOf(folder);

  if (there === "nothing") {
    if (stamp === undefined) return install(what, shipped);
    if (!stamp.isRemoved) await stamps.markRemoved(name);
    return;
  }
  // A link, or a file of that name, is a person's.
  if (there !== "folder") return;
  if (stamp === undefined) {
    // Either a person's own, or a copy whose stamp a crash or a person took away.
    if (await isUntouched(folder, shipped.stamp.files)) await stamps.write(name, shipped.stamp);
    return;
  }
  const isOurs = await isUntouched(folder, stamp.files);
  if (isOurs) {
    if (!isSame(stamp, shipped.stamp)) await upgrade(what, shipped, stamp);
  } else if (!stamp.isRemoved) {
    const withheld = sameFiles(stamp, shipped.stamp) ? null : shipped.stamp.version;
    if (withheld !== stamp.withheld) await stamps.write(name, { ...stamp, withheld });
  }
}

type Shipped = { stamp: BundledStamp; contents: ReadonlyMap<string, Buffer> };

async function readShipped(from: string): Promise<Shipped | null> {
  const read = await readManifest(from);
  if (read === null) return null;
  if (read.manifest === null) throw new HallError("internal", read.problem);
  const contents = new Map<string, Buffer>();
  for await (const { path, isFile } of memberFiles(from)) if (isFile) contents.set(path, await readFile(join(from, path)));
  const files = Object.fromEntries([...contents].map(([path, bytes]) => [path, [hashOf(bytes)]]));
  return { contents, stamp: { version: read.manifest.version, files, withheld: null, isRemoved: false } };
}

async function install(what: Installing, shipped: Shipped): Promise<void> {
  const { layout, on, stamps, name } = what;
  const folder = layout.guildMember(name);
  await inComingFolder(what, shipped, async (coming) => {
    await on.rename(coming, folder);
    await flushFolder(layout.guildMembers, on);
  });
  await stamps.write(name, shipped.stamp);
}

/**
 * Everything new is on the disk before the first old file goes, so a full disk leaves the old member whole. While files
 * change places the stamp allows for both, so whatever a crash leaves is still ours and is finished at the next start.
 */
async function upgrade(what: Installing, shipped: Shipped, before: BundledStamp): Promise<void> {
  const { layout, on, stamps, name } = what;
  const folder = layout.guildMember(name);
  await inComingFolder(what, shipped, async (coming) => {
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

async function inComingFolder(
  { layout, on, name }: Installing,
  shipped: Shipped,
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

const isSame = (stamp: BundledStamp, shipped: BundledStamp): boolean =>
  !stamp.isRemoved && stamp.withheld === null && stamp.version === shipped.version && sameFiles(stamp, shipped);

const sameFiles = (a: BundledStamp, b: BundledStamp): boolean => canonical(a.files) === canonical(b.files);

const canonical = (files: BundledStamp["files"]): string => JSON.stringify(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));

async function removeFile(path: string, on: Disk): Promise<void> {
  await on.unlink(path).catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
  });
}

async function kindOf(path: string): Promise<"nothing" | "folder" | "other"> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "other";
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "nothing";
    throw error;
  }
}
