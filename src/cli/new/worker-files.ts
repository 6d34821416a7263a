import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { MemberName } from "../../schema/ids.ts";
import { Manifest } from "../../schema/manifest.ts";
import { asText, displayNameFrom, project, versionsOf } from "./member-files.ts";

/** The worker that everybody copies, as the hall brings it. */
const template = join(project, "guild-members/researcher");

/** People and agents choose a worker by its description, so no two should have the same. */
const untold = "A copy of the researcher: takes a question and comes back with a report. Say here what it is really for.";

type WorkerWishes = { description?: string | undefined; folder?: string };

/** Every file of the researcher under another name. What it has done and what it knows is its own. */
export async function workerFiles(name: MemberName, wishes: WorkerWishes = {}): Promise<Record<string, string>> {
  const { description = untold, folder = template } = wishes;
  const { "guild-member.json": manifest = "", "README.md": guide = "", ...files } = await readTexts(folder);
  const heading = `# ${displayNameFrom(name)}`;
  const { version, ...rest } = Manifest.parse(JSON.parse(manifest));
  return {
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [path, path.endsWith(".ts") ? text : renamed(text, name)])),
    "README.md": renamed(guide.replace(/^# .*$/m, heading), name),
    "guild-member.json": asText({ ...rest, name, displayName: displayNameFrom(name), description, version }),
    "package.json": asText({
      name,
      version,
      private: true,
      type: "module",
      dependencies: await versionsOf(packagesIn(Object.values(files))),
    }),
  };
}

async function readTexts(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const own = paths.map((path) => path.split(sep).join("/")).filter((path) => !/^(?:jobs|memory|node_modules)\/|^\./.test(path));
  return Object.fromEntries(await Promise.all(own.map(async (path) => [path, await readFile(join(folder, path), "utf8")] as const)));
}

/** In a folder of one's own they have to be installed. */
function packagesIn(sources: readonly string[]): string[] {
  const imported = sources.flatMap((source) => [...source.matchAll(/ from "([^".][^"]*)";$/gm)].map(([, path = ""]) => path));
  const packages = imported.filter((path) => !path.startsWith("node:")).map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  return [...new Set(packages)].toSorted();
}

/** In the commands that a text for people shows. */
const renamed = (text: string, name: MemberName): string =>
  text.replaceAll(/(\bguild-hall (?:rehearse|job \w+|member \w+) )researcher\b/g, `$1${name}`);
