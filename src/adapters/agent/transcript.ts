import { access, cp, readdir, realpath, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import type { SdkSessionId } from "../../schema/ids.ts";

/**
 * Whether the SDK has written anything of a conversation in a working folder. It refuses to begin one under an id that
 * has a transcript, and a crash may have left one that the caller does not know of. Only the one place is looked at:
 * there is a folder for each working folder, and they may be many.
 */
export const hasTranscript = async (configFolder: string, cwd: string, id: SdkSessionId): Promise<boolean> =>
  (await findTranscript(configFolder, cwd, id)) !== null;

/** The file of a conversation, if there is one. */
export async function findTranscript(configFolder: string, cwd: string, id: SdkSessionId): Promise<string | null> {
  const projects = join(configFolder, "projects");
  const names = new Set([cwd, await realpath(cwd)].map(projectNameOf));
  const folders = (await Promise.all([...names].map(async (name) => (isWhole(name) ? [name] : cutNamesIn(projects, name))))).flat();
  const paths = folders.map((folder) => join(projects, folder, `${id}.jsonl`));
  const found = await Promise.all(paths.map(exists));
  return paths[found.indexOf(true)] ?? null;
}

/**
 * The SDK looks for a conversation under the path of its working folder. In a home that was moved or copied that is another
 * one now, so what there is of the conversation under the former one is copied to where it is looked for. Not moved: the
 * original may go on with it. Where the path is so long that only the SDK knows its name for it, the conversation has expired.
 */
export async function bringTranscript(configFolder: string, cwd: string, id: SdkSessionId): Promise<void> {
  if (await hasTranscript(configFolder, cwd, id)) return;
  const projects = join(configFolder, "projects");
  const name = projectNameOf(await realpath(cwd));
  const ending = projectNameOf(`/${basename(cwd)}`);
  if (!isWhole(name)) return;
  for (const former of (await namesIn(projects)).filter((each) => each.endsWith(ending) || !isWhole(each))) {
    const from = join(projects, former, id);
    if (!(await exists(`${from}.jsonl`))) continue;
    const to = join(projects, name, id);
    if (await exists(from)) await cp(from, to, { recursive: true });
    // Under its own name only when it is whole, and last: it is what the conversation is known by.
    await cp(`${from}.jsonl`, `${to}.tmp`);
    await rename(`${to}.tmp`, `${to}.jsonl`);
    return;
  }
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
