import { access, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { SdkSessionId } from "../../schema/ids.ts";

/**
 * Whether the SDK has written anything of a conversation in a working folder. It refuses to begin one under an id that
 * has a transcript, and a crash may have left one that the caller does not know of. Only the one place is looked at:
 * there is a folder for each working folder, and they may be many.
 */
export async function hasTranscript(configFolder: string, cwd: string, id: SdkSessionId): Promise<boolean> {
  const names = new Set([cwd, await realpath(cwd)].map(projectNameOf));
  const found = await Promise.all([...names].map((name) => exists(join(configFolder, "projects", name, `${id}.jsonl`))));
  return found.includes(true);
}

/** The SDK's own way of naming the folder for a working folder. */
export const projectNameOf = (cwd: string): string => cwd.replaceAll(/[^a-zA-Z0-9]/g, "-");

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
