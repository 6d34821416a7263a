import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const Entry = z.looseObject({ dev: z.boolean().optional(), devOptional: z.boolean().optional() });
/** What npm writes down of the packages it installed. */
const Installed = z.looseObject({ packages: z.record(z.string(), Entry) });

/**
 * Puts the packages that a hall needs into a folder, as links to the same files in the checkout, and npm's own record of them.
 * `npm install` then looks whether they are what the package asks for, fetches what is missing and removes what nobody asks
 * for; it is only spared the unpacking of a gigabyte. Where there can be no links, on another disk, npm does all of it.
 */
export async function linkPackages(checkout: string, folder: string): Promise<void> {
  const record = "node_modules/.package-lock.json";
  const installed = Installed.parse(JSON.parse(await readFile(join(checkout, record), "utf8")));
  const needed = Object.entries(installed.packages).filter(
    ([path, { dev = false, devOptional = false }]) => !dev && !devOptional && existsSync(join(checkout, path)),
  );
  try {
    // Packages within packages come with them. npm looks for the links to commands too.
    const whole = ["node_modules/.bin", ...needed.map(([path]) => path).filter((path) => path.lastIndexOf("node_modules/") === 0)];
    for (const [parent, paths = []] of Object.entries(Object.groupBy(whole, dirname))) {
      await mkdir(join(folder, parent), { recursive: true });
      const from = paths.map((path) => join(checkout, path));
      await promisify(execFile)("cp", ["-R", "-l", ...from, join(folder, parent)]);
    }
    await writeFile(join(folder, record), JSON.stringify({ ...installed, packages: Object.fromEntries(needed) }));
  } catch {
    await rm(join(folder, "node_modules"), { recursive: true, force: true });
  }
}
