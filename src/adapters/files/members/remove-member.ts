import { lstat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { HallError } from "../../../schema/hall-error.ts";
import { MemberName } from "../../../schema/ids.ts";
import { flushFolder } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { makeFolder } from "../durable-write.ts";
import { fileFailure } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import type { Layout } from "../layout.ts";
import { shown } from "./shown-path.ts";

/**
 * Moves a member's folder, or the link that stands for it, to `removed-members/` under a name of its own, and its home
 * beside it: whoever comes under its name must not find what it kept there. One at a time.
 */
export async function removeMember(layout: Layout, folder: string, name: string, on: Disk): Promise<{ movedTo: string }> {
  const parts = folder.split("/");
  if (parts.length > 2 || !parts.every(isName)) throw new HallError("bad_request", `"${shown(folder)}" is not a folder of guild-members.`);
  const from = join(layout.guildMembers, ...parts);
  try {
    await makeFolder(layout.removedMembers);
    const movedTo = await freeName(join(layout.removedMembers, `${(parts.at(-1) ?? "").slice(0, 64)}-${timeInName()}`));
    const bringHomeBack = await moveHome(layout, name, `${movedTo}${homeEnding}`, on);
    await on.rename(from, movedTo).catch(async (error: unknown) => {
      await bringHomeBack();
      throw error;
    });
    await flushFolder(dirname(from), on);
    await flushFolder(layout.removedMembers, on);
    return { movedTo };
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw new HallError("not_found", `${shown(from)} is gone already.`, { cause: error });
    if (systemCode(error) === "EXDEV")
      throw new HallError("conflict", `${shown(from)} is on another disk than the home folder. Move it away by hand.`, { cause: error });
    throw fileFailure(error, from);
  }
}

/** The link may lead to somebody's own folder, so the home cannot go into it. */
const homeEnding = "-home";

/** Before the folder: whatever happens in between, nobody finds a home that is not theirs. Answers how to undo it. */
async function moveHome(layout: Layout, name: string, movedTo: string, on: Disk): Promise<() => Promise<void>> {
  // One that was never valid has no name to have a home under.
  const member = MemberName.safeParse(name);
  if (!member.success) return () => Promise.resolve();
  const home = layout.memberHome(member.data);
  try {
    await on.rename(home, movedTo);
  } catch (error) {
    // It never ran.
    if (systemCode(error) === "ENOENT") return () => Promise.resolve();
    throw fileFailure(error, home);
  }
  await flushFolder(dirname(home), on);
  return () => on.rename(movedTo, home);
}

/** Names come from a listing of the folder or from a client, and each must stay one name. */
const isName = (part: string): boolean => part !== "" && !part.startsWith(".") && !part.includes("\0") && !part.includes(sep);

/** Some disks take neither colons nor long names. */
const timeInName = (): string => new Date().toISOString().replaceAll(/[:.]/g, "-");

async function freeName(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? path : `${path}-${count}`;
    if (!(await isThere(candidate)) && !(await isThere(`${candidate}${homeEnding}`))) return candidate;
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === "ENOENT") return false;
      throw error;
    },
  );
