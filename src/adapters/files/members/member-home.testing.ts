import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { FoundMember, MemberFolders } from "../../../core/roster/member-folders.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createLayout } from "../layout.ts";

/** A home with the folders that members need, and a second place for whatever is not in it. */
export async function memberHome() {
  const folder = await temporaryFolder();
  const layout = createLayout(join(folder, "home"));
  await mkdir(layout.guildMembers, { recursive: true });
  await mkdir(layout.acceptedTools, { recursive: true });
  const problems: unknown[] = [];
  return {
    layout,
    outside: join(folder, "outside"),
    problems,
    onProblem: (error: unknown) => void problems.push(error),
    /** Writes a file below `guild-members/`. */
    put: (path: string, content: string | Uint8Array) => putFile(join(layout.guildMembers, path), content),
  };
}

export async function putFile(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

export const manifestText = (name: string, more: object = {}): string =>
  `${JSON.stringify({ name, displayName: name, description: "For tests.", version: "0.1.0", transport: "stdio", mcp: { command: "node", args: ["server.ts"] }, ...more }, null, 2)}\n`;

/** Every file below a folder with its content; hidden ones too, and links are not followed. */
export async function contentsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = await Promise.all(files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const));
  return Object.fromEntries(read.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Knows of the members only what it was told to look at, as the Roster does; `until` waits for it to know something. */
export async function followMembers(folders: MemberFolders, describe: (found: FoundMember) => string) {
  let known: string[] = [];
  let told: () => void = () => undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    looking = looking.then(async () => {
      known = (await folders.scan()).map(describe);
      told();
    });
    return looking;
  };
  onTestFinished(folders.watch(() => void look()));
  await look();
  return async function until(isThere: (known: string[]) => boolean): Promise<string[]> {
    while (!isThere(known)) await new Promise<void>((resolve) => (told = resolve));
    return known;
  };
}

export const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
