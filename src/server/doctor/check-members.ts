import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./finding.ts";

export async function checkMembers(home: string): Promise<Finding> {
  const folder = join(home, "guild-members");
  const names = (await Promise.all((await foldersIn(folder)).map((name) => membersAt(folder, name)))).flat();
  if (names.length === 0) return { status: "info", detail: "None yet." };
  return { status: "ok", detail: `${names.length}: ${names.toSorted().join(", ")}.` };
}

/** A folder is a member, or a collection of members. */
async function membersAt(folder: string, name: string): Promise<string[]> {
  if (await hasManifest(join(folder, name))) return [name];
  const inside = await foldersIn(join(folder, name));
  const members = await Promise.all(
    inside.map(async (member) => ((await hasManifest(join(folder, name, member))) ? [`${name}/${member}`] : [])),
  );
  return members.flat();
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

const hasManifest = (folder: string): Promise<boolean> =>
  access(join(folder, "guild-member.json")).then(
    () => true,
    () => false,
  );
