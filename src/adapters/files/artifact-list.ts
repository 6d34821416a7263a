import type { Stats } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { ArtifactPath } from "../../schema/artifact.ts";
import type { Artifact, ArtifactList } from "../../schema/artifact.ts";
import { isTemporaryName } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { inFolder } from "../paths/held-folder.ts";
import type { HeldFolder } from "../paths/held-folder.ts";
import { mimeTypeOf } from "./mime-type.ts";

const mostArtifacts = 2_000;
const mostEntries = 20_000;

/** The files below a folder, as far as they can be served. Links and whatever else is no file are left out. */
export async function listArtifacts(root: string): Promise<ArtifactList> {
  const found: Found = { artifacts: [], entries: 0, isWhole: true };
  try {
    await inFolder(root, [], (folder) => collect(folder, [], found));
  } catch (error) {
    // A person may have deleted the folder; the next file makes it again.
    if (systemCode(error) !== "ENOENT") throw fileFailure(error, root);
  }
  found.artifacts.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { artifacts: found.artifacts, truncated: !found.isWhole };
}

export const artifactOf = (path: ArtifactPath, { size, mtime }: Stats): Artifact => ({
  path,
  size,
  modifiedAt: mtime.toISOString(),
  mimeType: mimeTypeOf(path),
});

type Found = { artifacts: Artifact[]; entries: number; isWhole: boolean };

async function collect(folder: HeldFolder, above: readonly string[], found: Found): Promise<void> {
  for await (const entry of await opendir(folder.path)) {
    found.entries += 1;
    if (found.entries > mostEntries || found.artifacts.length >= mostArtifacts) return void (found.isWhole = false);
    if (isTemporaryName(entry.name)) continue;
    const names = [...above, entry.name];
    const path = ArtifactPath.safeParse(names.join("/"));
    const stats = path.success ? await lstat(folder.at(entry.name)).catch(gone) : null;
    if (path.success && stats?.isFile() === true) found.artifacts.push(artifactOf(path.data, stats));
    else if (path.success && stats?.isDirectory() === true)
      await folder.enter(entry.name, (inside) => collect(inside, names, found)).catch(gone);
    else found.isWhole = false;
  }
}

/** What goes away, or turns into something else, while it is looked at was not there. */
function gone(error: unknown): null {
  if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES"].includes(systemCode(error) ?? "")) return null;
  throw error;
}
