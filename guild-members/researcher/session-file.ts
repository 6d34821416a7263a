import { access, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where the SDK keeps the session of a job, or null where it has none. It names the folder after the working folder in a way of its own. */
export async function findSession(configFolder: string, jobId: string): Promise<string | null> {
  const projects = join(configFolder, "projects");
  for (const name of await readdir(projects).catch(() => [])) {
    const path = join(projects, name, `${jobId}.jsonl`);
    if (await exists(path)) return path;
  }
  return null;
}

/** The SDK does not begin a session under an id that it has a file of. */
export async function forgetSession(path: string): Promise<void> {
  await rm(path, { force: true });
  // What else the SDK kept of it is in a folder of the same name, and the folder around both was for this job alone.
  await rm(path.replace(/\.jsonl$/, ""), { recursive: true, force: true });
  await rmdir(dirname(path)).catch(() => undefined);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
