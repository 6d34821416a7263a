import { readdir, realpath, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { cutNamesIn, isWhole, namesIn, projectNameOf } from "./transcript.ts";
import { workingFolderOf } from "./working-folder-of.ts";

/** One kind of owner of conversations. Each owner has a folder in `root`. Nothing that belongs to another folder is touched. */
export type TranscriptOwners = {
  root: string;
  /** The working folder within the folder of an owner; empty if it is the same. */
  work: string;
  /** Whether this is the SDK's name for the folder of an owner: folders beside the root may look as if they lay in it. */
  isOurs: (projectName: string) => boolean;
  /** The conversation that an owner goes on with. If it is null, nothing of that owner is removed. */
  currentOf: (name: string) => Promise<string | null>;
};

/** The folders in which SDK processes keep or kept their things: the hall's own, and the person's if their login is used. */
type ConfigFolders = readonly string[];

/** Removes everything that the SDK keeps of the conversations of one owner, whose folder may be removed already. */
export async function removeTranscripts(
  configFolders: ConfigFolders,
  owners: Pick<TranscriptOwners, "root" | "work">,
  name: string,
): Promise<void> {
  const own = projectNameOf(name);
  for (const parent of await parentsOf(configFolders, owners)) {
    const whole = `${parent.prefix}${own}${parent.suffix}`;
    const cut = isWhole(whole) ? [] : (await cutFolders(parent, whole)).filter((each) => each.own === own);
    for (const folder of isWhole(whole) ? [join(parent.projects, whole)] : cut.map((each) => each.folder))
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what the SDK keeps of conversations that cannot be continued: those of owners whose folder is gone, and the former
 * ones of those that are there. Returns how many there were.
 */
export async function removeStaleTranscripts(configFolders: ConfigFolders, owners: TranscriptOwners): Promise<number> {
  let removed = 0;
  for (const parent of await parentsOf(configFolders, owners)) {
    const folders = [...(await wholeFolders(parent)), ...(await cutFolders(parent, parent.prefix))];
    // After those: a working folder is there before any conversation in it.
    const present = new Map((await readdir(owners.root)).map((name) => [projectNameOf(name), name]));
    for (const { folder, own } of folders) {
      if (!owners.isOurs(own)) continue;
      const name = present.get(own);
      for (const stale of name === undefined ? [folder] : await formerOnes(folder, () => owners.currentOf(name))) {
        await rm(stale, { recursive: true, force: true });
        removed += 1;
      }
    }
  }
  return removed;
}

/** A conversation is a file of its id and perhaps a folder of the same name, with tool results that were too long for it. */
async function formerOnes(folder: string, current: () => Promise<string | null>): Promise<string[]> {
  const names = (await namesIn(folder)).filter((name) => conversation.test(name));
  if (new Set(names.map((name) => name.slice(0, idLength))).size < 2) return [];
  const id = await current();
  // Whoever names one that is not there may be mistaken.
  if (id === null || !names.includes(`${id}.jsonl`)) return [];
  return names.filter((name) => !name.startsWith(id)).map((name) => join(folder, name));
}

const conversation = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.jsonl)?$/;
const idLength = 36;

/** The folder of the SDK's folders for the working folders of a root, and how their names begin and end. */
type Parent = { projects: string; prefix: string; suffix: string; root: string; work: string };

/** A folder of the SDK, and its name for the folder of an owner within the root. */
type ProjectFolder = { folder: string; own: string };

/** The SDK names a folder after the working folder's path, as it was given or with its links followed. */
async function parentsOf(configFolders: ConfigFolders, { root, work }: Pick<TranscriptOwners, "root" | "work">): Promise<Parent[]> {
  const roots = [...new Set([root, await realpath(root)])];
  const suffix = work === "" ? "" : projectNameOf(`/${work}`);
  return configFolders.flatMap((folder) =>
    roots.map((each) => ({ projects: join(folder, "projects"), prefix: projectNameOf(`${each}/`), suffix, root: each, work })),
  );
}

const wholeFolders = async ({ projects, prefix, suffix }: Parent): Promise<ProjectFolder[]> =>
  (await namesIn(projects))
    .filter((name) => isWhole(name) && name.startsWith(prefix) && name.endsWith(suffix))
    .map((name) => ({ folder: join(projects, name), own: name.slice(prefix.length, name.length - suffix.length) }));

/** A name that was cut does not tell its working folder; what lies within does. Without that, nobody knows whose it is. */
async function cutFolders({ projects, root, work }: Parent, beginning: string): Promise<ProjectFolder[]> {
  const found: ProjectFolder[] = [];
  for (const name of await cutNamesIn(projects, beginning)) {
    const folder = join(projects, name);
    const cwd = await workingFolderOf(folder);
    const [owner = ""] = cwd === null ? [] : relative(root, cwd).split(sep);
    if (cwd !== null && cwd === join(root, owner, work)) found.push({ folder, own: projectNameOf(owner) });
  }
  return found;
}
