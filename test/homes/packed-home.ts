import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { folderIdentity } from "../../src/adapters/files/hall-record.ts";
import { placeOfThisProcess } from "../../src/adapters/processes/process-identity.ts";

/** What stands in a packed home for the place and the day of a real one. */
const packedPlace = {
  home: "/home/ada/.guild-hall",
  day: "2026-01-05",
  machine: "0f4a6c2e8b1d4f739a5c7e0b2d4f6a81",
  boot: "2b7e1516-28ae-4d2a-a6ab-f7158809cf4f",
  namespace: "pid:[4026531836]",
  folder: "66306:1835021",
};

/** Caches, programs, what the SDK keeps besides conversations, and all that is secret. */
const leftOut = [
  /^(\.index|logs|node_modules|claude\/(home|tmp)|state\/(packages|homes))\//,
  /^(person\.key|state\/(open\.html|bundled-members\.json))$/,
  /^claude\/config\/(?!projects\/)/,
  /^guild-members\/[^/]+\/(?!(jobs|memory)\/)/,
  /^guild-members\/[^/]+\/jobs\/[^/]+\/sdk\/(?!config\/projects\/)/,
];

/** Packs a home that a hall has left today, without names and paths of this machine. `scratch` is an empty folder. */
export async function packHome(home: string, packed: string, scratch: string): Promise<void> {
  await copySwapped(home, scratch, await swapsToPacked(home, today()));
  await promisify(execFile)("tar", ["-czf", packed, "-C", scratch, "."]);
}

/** Makes a home of it, as a hall of this machine would have left it yesterday, before the machine was started again. */
export async function unpackHome(packed: string, home: string, scratch: string): Promise<void> {
  await Promise.all([home, join(home, "state"), scratch].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  await promisify(execFile)("tar", ["-xzf", packed, "-C", scratch]);
  const { machine } = await placeOfThisProcess();
  const here = { home, day: yesterday(), machine, folder: await folderIdentity(join(home, "state")) };
  const names = Object.entries(here).map(([name, value]): Swap => [packedPlace[name as keyof typeof here], value]); // its own keys
  await copySwapped(scratch, home, [...names, [projectName(packedPlace.home), projectName(home)]]);
}

/** The same text for every place and day at which a home is unpacked. */
export const textWithoutPlace = (text: string, home: string): string =>
  swapped(text, [
    [home, packedPlace.home],
    [yesterday(), packedPlace.day],
  ]);

async function swapsToPacked(home: string, day: string): Promise<Swap[]> {
  const here = { home, day, ...(await placeOfThisProcess()), folder: await folderIdentity(join(home, "state")) };
  const names = Object.entries(here).map(([name, value]): Swap => [value, packedPlace[name as keyof typeof here]]); // its own keys
  return [...names, [projectName(home), projectName(packedPlace.home)]];
}

/** As times are written in records. */
const today = (): string => new Date().toISOString().slice(0, 10);
const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** The SDK's name for a folder of conversations. */
const projectName = (path: string): string => path.replaceAll(/[^a-zA-Z0-9]/g, "-");

type Swap = readonly [from: string, to: string];

const swapped = (text: string, swaps: readonly Swap[]): string =>
  swaps.reduce((now, [before, after]) => now.replaceAll(before, after), text);

async function copySwapped(from: string, to: string, swaps: readonly Swap[]): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1);
    if (!entry.isFile() || leftOut.some((pattern) => pattern.test(path))) continue;
    const target = join(to, swapped(path, swaps));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const bytes = await readFile(join(from, path));
    const text = bytes.toString();
    // Bytes that are no text are left as they are.
    await writeFile(target, Buffer.from(text).equals(bytes) ? swapped(text, swaps) : bytes, { mode: 0o600 });
  }
}
