import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { makeFolder } from "../durable-write.ts";
import { printLine, readLines } from "./checked-lines.ts";
import type { Entry } from "./entry.ts";

/** What a journal line says happened. */
export type Change = { put: Entry } | { remove: string };

export type IndexFiles = {
  /** What the last life of the hall knew, or null where nothing trustworthy is left. */
  load(): Promise<Map<string, Entry> | null>;
  /** Written soon, not at once: losing it costs a look at the file it is about. */
  append(change: Change): void;
  /** Puts a whole picture, taken when this begins, in place of snapshot and journals. */
  replace(picture: () => readonly Entry[]): Promise<void>;
  journalLength(): number;
  /** False where somebody deleted it, or there never was one. */
  hasSnapshot(): Promise<boolean>;
  flush(): Promise<void>;
};

/** Counts the formats of these files. Another number in a header means a rebuild, never a migration. */
const format = 5;
const linesPerBreath = 2_000;
const unfinished = ".new";
/** More than the index of a million sessions needs. Node aborts when it reads more than 2 GiB at once. */
const mostBytes = 512 * 1024 * 1024;

/**
 * A snapshot and the journals of changes since, numbered by generation. A new generation first gets its journal and then
 * its snapshot, so at every instant some snapshot together with all journals from its number on tells everything.
 */
export function createIndexFiles(folder: string, kind: string, packing = ""): IndexFiles {
  const snapshotPath = (generation: number) => join(folder, `${kind}.${generation}.snapshot`);
  const journalPath = (generation: number) => join(folder, `${kind}.${generation}.journal`);
  let generation = 0;
  let lines = 0;
  let unwritten = "";
  let writing: Promise<void> | null = null;

  async function generations(ending: "snapshot" | "journal"): Promise<number[]> {
    const names = await readdir(folder).catch(() => []);
    const pattern = new RegExp(`^${kind}\\.(\\d+)\\.${ending}$`);
    const numbers = names.map((name) => pattern.exec(name)?.[1]).filter((number) => number !== undefined);
    return numbers.map(Number).toSorted((a, b) => b - a);
  }

  /** A crash may have left a snapshot half written; nobody else will ever write under that name. */
  async function removeUnfinished(): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (name.startsWith(`${kind}.`) && name.endsWith(unfinished)) await rm(join(folder, name), { force: true });
  }

  /** Removes all of them if one is too large: no file of an index counts without the others. */
  async function removeIfTooLarge(): Promise<void> {
    const paths = [...(await generations("snapshot")).map(snapshotPath), ...(await generations("journal")).map(journalPath)];
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => null))?.size ?? 0));
    if (sizes.every((size) => size <= mostBytes)) return;
    for (const path of paths) await rm(path, { force: true });
  }

  /** A folder that somebody deleted while the hall runs is made again; a disk that takes nothing costs the index, not the hall. */
  async function writeOut(): Promise<void> {
    while (unwritten !== "") {
      const text = unwritten;
      // Chosen now: in a journal begun meanwhile, what is older than its snapshot would come after it.
      const path = journalPath(generation);
      unwritten = "";
      await makeFolder(folder).catch(() => undefined);
      await appendText(path, text).catch(() => undefined);
    }
    writing = null;
  }

  return {
    async load() {
      await removeIfTooLarge();
      const journals = (await generations("journal")).toSorted((a, b) => a - b);
      const snapshots = await generations("snapshot");
      await removeUnfinished();
      // The last journal may end in half a line; what comes next goes into a file of its own.
      generation = Math.max(0, ...journals, ...snapshots) + 1;
      for (const number of snapshots) {
        const entries = await readSnapshot(snapshotPath(number), packing);
        if (entries === null) continue;
        for (const later of journals.filter((each) => each >= number)) {
          // Proven by their checksums, so these are changes that this code wrote.
          for await (const change of readLines(journalPath(later)) as AsyncIterable<Change>) {
            lines += 1;
            if ("put" in change) entries.set(change.put.name, change.put);
            else entries.delete(change.remove);
          }
        }
        return entries;
      }
      return null;
    },
    append(change) {
      unwritten += printLine(change);
      lines += 1;
      writing ??= writeOut();
    },
    async replace(picture) {
      // No pause from here to the picture: a change is either in it or in the new journal.
      generation += 1;
      lines = 0;
      unwritten = "";
      const current = generation;
      const entries = picture();
      await makeFolder(folder);
      await appendText(journalPath(current), "");
      await writeSnapshot(snapshotPath(current), { entries, packing });
      for (const ending of ["snapshot", "journal"] as const) {
        for (const older of (await generations(ending)).filter((each) => each < current)) {
          await rm(ending === "snapshot" ? snapshotPath(older) : journalPath(older), { force: true });
        }
      }
    },
    journalLength: () => lines,
    hasSnapshot: async () => (await generations("snapshot")).length > 0,
    flush: async () => {
      await writing;
    },
  };
}

async function appendText(path: string, text: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.appendFile(text);
  } finally {
    await file.close();
  }
}

/** First a header with format, packing and count, then the entries. */
async function writeSnapshot(path: string, { entries, packing }: { entries: readonly Entry[]; packing: string }): Promise<void> {
  const temporary = `${path}${unfinished}`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.appendFile(printLine({ format, packing, count: entries.length }));
    for (let start = 0; start < entries.length; start += linesPerBreath) {
      await file.appendFile(
        entries
          .slice(start, start + linesPerBreath)
          .map(printLine)
          .join(""),
      );
      await breathe();
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

async function readSnapshot(path: string, packing: string): Promise<Map<string, Entry> | null> {
  const entries = new Map<string, Entry>();
  let count: number | null = null;
  // Proven by their checksums, so these are a header and entries that this code wrote, in this format or another.
  for await (const line of readLines(path) as AsyncIterable<Header | Entry>) {
    if ("format" in line) {
      if (line.format !== format || line.packing !== packing) return null;
      count = line.count;
    } else entries.set(line.name, line);
  }
  return entries.size === count ? entries : null;
}

type Header = { format: number; packing: string; count: number };
