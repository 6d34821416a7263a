import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SdkSessionId } from "../../schema/ids.ts";

/**
 * Whether the SDK has written anything of a conversation. It refuses to begin one under an id that has a transcript, and
 * a crash may have left one that the caller does not know of.
 */
export async function hasTranscript(configFolder: string, id: SdkSessionId): Promise<boolean> {
  const projects = join(configFolder, "projects");
  const names = await readdir(projects).catch(() => []);
  const found = await Promise.all(names.map((name) => exists(join(projects, name, `${id}.jsonl`))));
  return found.includes(true);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
