import { readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { cutNamesIn, isWhole, namesIn, projectNameOf } from "./transcript.ts";
import { workingFolderOf } from "./working-folder-of.ts";

export type TranscriptPlaces = {
  /** Where SDK processes keep or kept their things: the hall's own folder, and the person's where their login is used. */
  configFolders: readonly string[];
  /** The folder in which all working folders of the hall lie. Nothing that belongs to another folder is touched. */
  root: string;
  /** Whether the SDK's name for a folder in it is that of a working folder: folders beside the root may look as if they lay in it. */
  isOurs: (projectName: string) => boolean;
};

/** Everything the SDK keeps of the conversations in one working folder, which itself may be gone already. */
export async function removeTranscripts(places: Pick<TranscriptPlaces, "configFolders" | "root">, name: string): Promise<void> {
  const own = projectNameOf(name);
  for (const parent of await parentsOf(places)) {
    const whole = `${parent.prefix}${own}`;
    const cut = isWhole(whole) ? [] : (await cutFolders(parent, whole)).filter((each) => each.own === own);
    for (const folder of isWhole(whole) ? [join(parent.projects, whole)] : cut.map((each) => each.folder))
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what the SDK keeps of conversations nobody can go on with: those in working folders that are gone, and the former
 * ones in those that are there. Answers how many there were.
 */
export async function removeStaleTranscripts(
  places: TranscriptPlaces,
  /** The conversation that a working folder goes on with; null where that cannot be told, and then nothing of it is removed. */
  currentOf: (name: string) => Promise<string | null>,
): Promise<number> {
  let removed = 0;
  for (const parent of await parentsOf(places)) {
    const folders = [...(await wholeFolders(parent)), ...(await cutFolders(parent, parent.prefix))];
    // After those: a working folder is there before any conversation in it.
    const working = new Map((await readdir(places.root)).map((name) => [projectNameOf(name), name]));
    for (const { folder, own } of folders) {
      if (!places.isOurs(own)) continue;
      const name = working.get(own);
      for (const stale of name === undefined ? [folder] : await formerOnes(folder, () => currentOf(name))) {
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

/** Where folders for the working folders of a root lie, and how their names begin. */
type Parent = { projects: string; prefix: string; root: string };

/** A folder of the SDK, and its name for the working folder within the root. */
type ProjectFolder = { folder: string; own: string };

/** The SDK names a folder after the working folder's path, as it was given or with its links followed. */
async function parentsOf({ configFolders, root }: Pick<TranscriptPlaces, "configFolders" | "root">): Promise<Parent[]> {
  const roots = [...new Set([root, await realpath(root)])];
  return configFolders.flatMap((folder) =>
    roots.map((each) => ({ projects: join(folder, "projects"), prefix: projectNameOf(`${each}/`), root: each })),
  );
}

const wholeFolders = async ({ projects, prefix }: Parent): Promise<ProjectFolder[]> =>
  (await namesIn(projects))
    .filter((name) => isWhole(name) && name.startsWith(prefix))
    .map((name) => ({ folder: join(projects, name), own: name.slice(prefix.length) }));

/** A name that was cut does not tell its working folder; what lies within does. Without that, nobody knows whose it is. */
async function cutFolders({ projects, root }: Parent, beginning: string): Promise<ProjectFolder[]> {
  const found: ProjectFolder[] = [];
  for (const name of await cutNamesIn(projects, beginning)) {
    const folder = join(projects, name);
    const cwd = await workingFolderOf(folder);
    if (cwd !== null && dirname(cwd) === root) found.push({ folder, own: projectNameOf(basename(cwd)) });
  }
  return found;
}
