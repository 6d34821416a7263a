import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createLayout } from "../src/adapters/files/layout.ts";
import { bundledDocument } from "../src/adapters/files/members/bundled-stamps.ts";

const bundled = join(import.meta.dirname, "../guild-members");

/** Makes of a home one from which a person has taken the members that come with the hall, so that none of them is started but the one that is wanted. */
export async function removeBundledMembers(home: string, wanted?: string): Promise<void> {
  const removed = { version: "0.0.0", files: {}, withheld: null, isRemoved: true };
  const members = Object.fromEntries((await readdir(bundled)).filter((name) => name !== wanted).map((name) => [name, removed]));
  const { bundledMembers } = createLayout(home);
  await mkdir(dirname(bundledMembers), { recursive: true, mode: 0o700 });
  await bundledDocument.write(bundledMembers, { members });
}
