import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** The heaviest packages of a hall: most of what an installation would unpack. */
const heavy = ["next", "@next", "@img", "@anthropic-ai"];

/**
 * Puts packages of the checkout into a folder as links to the same files. `npm install` looks whether they are what the package
 * asks for, and takes others where they are not; it is only spared the unpacking. Where the folder is on another disk there
 * can be no links, and npm does all of it.
 */
export async function linkPackages(checkout: string, folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  const from = heavy.map((name) => join(checkout, "node_modules", name));
  await promisify(execFile)("cp", ["-R", "-l", ...from, modules]).catch(() => undefined);
}
