import type { FoundMember } from "./member-folders.ts";

export type Placed = { found: FoundMember; problem: string | null };

/**
 * Gives each name to one folder: to the one that has it already, or else to the first. The others, and folders whose
 * manifest cannot be read, get a problem in words.
 */
export function sortOutNames(found: readonly FoundMember[], holders: ReadonlyMap<string, string>): Placed[] {
  const inOrder = found.toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  const owners = new Map<string, string>();
  for (const { manifest, folder } of inOrder) {
    if (manifest === null) continue;
    if (!owners.has(manifest.name) || holders.get(manifest.name) === folder) owners.set(manifest.name, folder);
  }
  return inOrder.map((each) => {
    if (each.manifest === null) return { found: each, problem: each.problem };
    const { name } = each.manifest;
    const owner = owners.get(name);
    return { found: each, problem: owner === each.folder ? null : nameTaken(name, each.folder, owner ?? "") };
  });
}

const nameTaken = (name: string, folder: string, owner: string): string =>
  `The name "${name}" belongs to the member in guild-members/${owner}, so the one in guild-members/${folder} is not started. Rename one of them, folder and manifest.`;
