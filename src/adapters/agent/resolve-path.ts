import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Folders by the names they were given and by their real ones. */
export type Reach = { cwd: string; given: readonly string[]; real: readonly string[] };

/** `kind` is what is there now; nothing may be there only where the caller is going to write. */
export type Resolved = { ok: true; path: string; kind: "file" | "folder" | "nothing" } | { ok: false; reason: string };

const longestPath = 4_096;

export async function findReach(cwd: string, folders: readonly string[]): Promise<Reach> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => resolve(folder))));
  return { cwd: await realpath(cwd), given: folders.map((folder) => resolve(folder)), real };
}

/** The real path of something that exists within reach. */
export async function resolveExisting(path: string, reach: Reach): Promise<Resolved> {
  const wanted = wellFormed(path, reach);
  if (!wanted.ok) return wanted;
  const stats = await lookAt(wanted.path);
  if (stats === null) return { ok: false, reason: `"${path}" does not exist.` };
  const real = await realpath(wanted.path).catch(() => null);
  // A link to nowhere is treated like one to the outside: what is or is not out there is none of the model's business.
  if (real === null || !isInside(real, reach.real)) return outside(path, reach);
  return describe(path, real, await lookAt(real));
}

/** The real path of a file to write, which may not exist yet. A link is not followed, wherever it leads. */
export async function resolveWritable(path: string, reach: Reach): Promise<Resolved> {
  const wanted = wellFormed(path, reach);
  if (!wanted.ok) return wanted;
  const stats = await lookAt(wanted.path);
  if (stats?.isSymbolicLink() === true) return { ok: false, reason: `"${path}" is a link, and links are not written through.` };
  const real = await realOfDeepestParent(wanted.path);
  if (real === null) return { ok: false, reason: `"${path}" leads through something that is no folder.` };
  if (!isInside(real, reach.real)) return outside(path, reach);
  return stats === null ? { ok: true, path: real, kind: "nothing" } : describe(path, real, stats);
}

/** Everything that can be judged by the text alone. The tools trim, normalise and expand `~` themselves, so a path that would change that way is refused. */
function wellFormed(path: string, reach: Reach): { ok: true; path: string } | { ok: false; reason: string } {
  if (path === "") return { ok: false, reason: "The path is empty." };
  if (path.length > longestPath) return { ok: false, reason: `The path is longer than ${longestPath} characters.` };
  if (/[\u0000-\u001f\u007f]/.test(path)) return { ok: false, reason: "The path contains a control character." };
  if (path !== path.trim() || path !== path.normalize("NFC")) {
    return { ok: false, reason: `"${path}" begins or ends with white space, or is not in Unicode's composed form.` };
  }
  if (path.startsWith("~")) return { ok: false, reason: `"${path}" begins with ~, which stands for nothing here.` };
  const absolute = resolve(reach.cwd, path);
  return isInside(absolute, reach.given) || isInside(absolute, reach.real) ? { ok: true, path: absolute } : outside(path, reach);
}

const outside = (path: string, reach: Reach): { ok: false; reason: string } => ({
  ok: false,
  reason: `"${path}" is outside of what this run may reach: ${reach.given.join(", ") || "nothing"}.`,
});

function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const rest = relative(folder, path);
    return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
  });
}

const lookAt = (path: string): Promise<Stats | null> => lstat(path).catch(() => null);

/** Null where something on the way is there and no folder. */
async function realOfDeepestParent(path: string): Promise<string | null> {
  const parent = dirname(path);
  if ((await lookAt(parent)) === null) {
    const real = parent === path ? parent : await realOfDeepestParent(parent);
    return real === null ? null : join(real, basename(path));
  }
  const real = await realpath(parent).catch(() => null);
  const isFolder = real !== null && (await lookAt(real))?.isDirectory() === true;
  return isFolder ? join(real, basename(path)) : null;
}

function describe(path: string, real: string, stats: Stats | null): Resolved {
  if (stats?.isFile() === true) return { ok: true, path: real, kind: "file" };
  if (stats?.isDirectory() === true) return { ok: true, path: real, kind: "folder" };
  return { ok: false, reason: `"${path}" is neither a file nor a folder.` };
}
