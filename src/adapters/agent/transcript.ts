import { access, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { SdkSessionId } from "../../schema/ids.ts";

/**
 * Whether the SDK has written anything of a conversation in a working folder. It refuses to begin one under an id that
 * has a transcript, and a crash may have left one that the caller does not know of. Only the one place is looked at:
 * there is a folder for each working folder, and they may be many.
 */
export async function hasTranscript(configFolder: string, cwd: string, id: SdkSessionId): Promise<boolean> {
  const projects = join(configFolder, "projects");
  const names = new Set([cwd, await realpath(cwd)].map(projectNameOf));
  const folders = (await Promise.all([...names].map(async (name) => (isWhole(name) ? [name] : cutNamesIn(projects, name))))).flat();
  const found = await Promise.all(folders.map((folder) => exists(join(projects, folder, `${id}.jsonl`))));
  return found.includes(true);
}

/** The SDK's own way of naming the folder for a working folder, before it shortens what is too long. */
export const projectNameOf = (cwd: string): string => cwd.replaceAll(/[^a-zA-Z0-9]/g, "-");

/** Longer ones are cut here, and get a dash and a hash that is the SDK's own business. */
const longestName = 200;

export const isWhole = (name: string): boolean => name.length <= longestName;

/** The folders whose names may be what the SDK made of one that is too long, or of one that begins like this. */
export const cutNamesIn = async (projects: string, name: string): Promise<string[]> =>
  (await namesIn(projects)).filter((each) => !isWhole(each) && each.startsWith(name.slice(0, longestName)));

export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
