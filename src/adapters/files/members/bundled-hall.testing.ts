import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "../disk.ts";
import { installBundledMembers } from "./bundled-members.ts";
import { createMemberFolders } from "./member-folders.ts";
import { manifestText, memberHome, putFile } from "./member-home.testing.ts";

export const first = { "guild-member.json": manifestText("example"), "server.ts": "first", "lib/old.ts": "old", "lib/same.ts": "same" };
export const second = {
  "guild-member.json": manifestText("example", { version: "0.2.0" }),
  "server.ts": "second",
  "lib/same.ts": "same",
  "lib/deep/new.ts": "new",
};

/** A project that brings one member, and a home for it. */
export async function givenHall() {
  const home = await memberHome();
  const project = join(home.outside, "project");
  const copy = join(home.layout.guildMembers, "example");
  await putFile(join(project, "package.json"), "{}");
  await mkdir(join(project, "node_modules"));
  const ship = async (files: Record<string, string>): Promise<void> => {
    await rm(join(project, "guild-members"), { recursive: true, force: true });
    for (const [path, content] of Object.entries(files)) await putFile(join(project, "guild-members/example", path), content);
  };
  await ship(first);
  const folders = createMemberFolders(home);
  return {
    ...home,
    project,
    copy,
    folders,
    ship,
    start: (disk?: Disk) => installBundledMembers({ ...home, project, ...(disk === undefined ? {} : { disk }) }),
    scan: async () =>
      (await folders.scan()).map(({ folder, origin, note, manifest }) => ({ folder, origin, note, version: manifest?.version })),
  };
}

export const bundled = (version: string) => [{ folder: "example", origin: "bundled", note: undefined, version }];
export const edited = (note: string, version = "0.1.0") => [{ folder: "example", origin: "edited", note, version }];
