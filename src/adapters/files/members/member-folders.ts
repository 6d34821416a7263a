import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createTurns } from "../../../core/in-turn.ts";
import type { MemberFolders } from "../../../core/roster/member-folders.ts";
import { HallError } from "../../../schema/hall-error.ts";
import type { Manifest } from "../../../schema/manifest.ts";
import { disk, flushFolder } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { makeFolder, writeFileDurably } from "../durable-write.ts";
import { fileFailure } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import type { Layout } from "../layout.ts";
import { createBundledStamps } from "./bundled-stamps.ts";
import type { BundledStamp } from "./bundled-stamps.ts";
import { comingFolder } from "./coming-folder.ts";
import { manifestName } from "./manifest-file.ts";
import { removeMember } from "./remove-member.ts";
import { scanMembers } from "./scan-members.ts";
import { stampFolders } from "./stamp-folders.ts";
import { watchMembers } from "./watch-members.ts";

export type MemberFoldersDeps = { layout: Layout; onProblem: (error: unknown) => void; disk?: Disk; pollMs?: number };

/** Members as folders of `guild-members/`. */
export function createMemberFolders({ layout, onProblem, disk: on = disk, pollMs = 15_000 }: MemberFoldersDeps): MemberFolders {
  const stamps = createBundledStamps(layout, on);
  /** Names are looked for and then taken. */
  const inTurn = createTurns<"folders">();
  let bundled: ReadonlyMap<string, BundledStamp> = new Map();
  /** How the folders looked just before they were last scanned; null until that went well once. */
  let scanned: string | null = null;

  return {
    async scan() {
      try {
        bundled = await readStamps();
        const { stamp } = await stampFolders(layout, bundled);
        const members = await scanMembers(layout, bundled);
        scanned = stamp;
        return members;
      } catch (error) {
        throw fileFailure(error, layout.guildMembers);
      }
    },

    watch: (onChange) =>
      watchMembers({
        layout,
        pollMs,
        onProblem,
        look: () => stampFolders(layout, bundled),
        onLook: (stamp) => stamp !== scanned && onChange(),
      }),

    add: (manifest) => inTurn("folders", () => add(manifest)),

    remove: (folder, name) =>
      inTurn("folders", async () => {
        const removed = await removeMember(layout, folder, name, on);
        await stamps.markRemoved(folder).catch(onProblem);
        return removed;
      }),
  };

  /** Without them every member counts as a person's own, which asks for more and not for less. */
  async function readStamps(): Promise<ReadonlyMap<string, BundledStamp>> {
    try {
      return await stamps.read();
    } catch (error) {
      onProblem(error);
      return new Map();
    }
  }

  async function add(manifest: Manifest): Promise<void> {
    const coming = await comingFolder(layout, manifest.name);
    try {
      await makeFolder(coming);
      await writeFileDurably(join(coming, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, on);
      await moveIntoPlace(coming, manifest);
    } finally {
      await rm(coming, { recursive: true, force: true });
    }
  }

  /** The rename itself finds out whether the name is taken; an empty folder is not in its way. */
  async function moveIntoPlace(coming: string, { name }: Manifest): Promise<void> {
    const folder = layout.guildMember(name);
    try {
      await on.rename(coming, folder);
      await flushFolder(layout.guildMembers, on);
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(systemCode(error) ?? "")) throw fileFailure(error, folder);
      throw new HallError("conflict", `${folder} is there already. Choose another name, or remove that one first.`, { cause: error });
    }
  }
}
