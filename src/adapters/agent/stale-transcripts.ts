import { readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { projectNameOf } from "./transcript.ts";

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
  for (const { projects, prefix } of await projectFolders(places))
    await rm(join(projects, `${prefix}${projectNameOf(name)}`), { recursive: true, force: true });
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
  const working = new Map((await readdir(places.root)).map((name) => [projectNameOf(name), name]));
  let removed = 0;
  for (const { projects, prefix } of await projectFolders(places)) {
    for (const project of await namesIn(projects)) {
      const own = project.slice(prefix.length);
      if (!project.startsWith(prefix) || !places.isOurs(own)) continue;
      const folder = join(projects, project);
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

/** The SDK names a folder after the working folder's path, as it was given or with its links followed. */
async function projectFolders({
  configFolders,
  root,
}: Pick<TranscriptPlaces, "configFolders" | "root">): Promise<{ projects: string; prefix: string }[]> {
  const prefixes = new Set([root, await realpath(root)].map((path) => projectNameOf(`${path}/`)));
  return configFolders.flatMap((folder) => [...prefixes].map((prefix) => ({ projects: join(folder, "projects"), prefix })));
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
