import { lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { readTextOrNull, syncFolder, writeDurably } from "./durable-file.ts";

/** One file of `memory/`: what some job found worth keeping, or what a person put there. */
export type Note = { name: string; text: string };

export type Memory = {
  folder: string;
  /** Writes `<key>.md`, in place of what was there. Rejects, in words, a key or a text that cannot be kept. Answers the key as it was kept. */
  store(key: string, text: string): Promise<string>;
  /** Newest first. */
  notes(): Promise<Note[]>;
  /**
   * Puts `condensed` in the place of these notes. They move to `.backup/`, which keeps the last twenty times; one that was
   * written to since it was read stays.
   */
  replace(notes: readonly Note[], condensed: string, at: Date): Promise<void>;
};

export const condensedName = "compacted.md";
const longestNote = 20_000;
const keptBackups = 20;

/** The knowledge that outlives a job, as files that people can read and change too. */
export function createMemory(folder: string): Memory {
  // What is compared and then moved must not change in between, so writes wait for each other.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    folder,
    store: (key, text) =>
      inTurn(async () => {
        const kept = checkKey(key);
        if (text.trim() === "") throw new Error("There is nothing to remember: the content is empty.");
        if (text.length > longestNote)
          throw new Error(`The content has ${text.length} characters; a memory may have ${longestNote}. Keep what matters.`);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeDurably(join(folder, `${kept}.md`), text);
        return kept;
      }),
    notes: () => readNotes(folder),
    replace: (notes, condensed, at) =>
      inTurn(async () => {
        const former = notes.find(({ name }) => name === condensedName);
        if ((await readTextOrNull(join(folder, condensedName))) !== (former?.text ?? null)) {
          throw new Error(`Somebody wrote to ${condensedName} meanwhile.`);
        }
        const backups = join(folder, ".backup");
        const backup = join(backups, at.toISOString().replaceAll(":", "-"));
        await mkdir(backup, { recursive: true, mode: 0o700 });
        if (former !== undefined) await writeDurably(join(backup, condensedName), former.text);
        await writeDurably(join(folder, condensedName), condensed);
        for (const { name, text } of notes) {
          if (name !== condensedName && (await readTextOrNull(join(folder, name))) === text)
            await rename(join(folder, name), join(backup, name));
        }
        await syncFolder(backup);
        await syncFolder(folder);
        await forgetOldest(backups);
      }),
  };
}

/** Their names are times, so the oldest come first. */
async function forgetOldest(backups: string): Promise<void> {
  const old = (await readdir(backups)).toSorted().slice(0, -keptBackups);
  await Promise.all(old.map((name) => rm(join(backups, name), { recursive: true, force: true })));
}

/** Keys are names of files everywhere: lower case, because some systems do not tell it from upper case. */
export function checkKey(key: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(key)) {
    throw new Error(
      `"${key.slice(0, 80)}" cannot be a key: use 1 to 64 letters, digits, dashes and underscores, beginning with a letter or digit.`,
    );
  }
  const kept = key.toLowerCase();
  if (`${kept}.md` === condensedName) throw new Error(`"${key}" is the name of the condensed memory. Choose another key.`);
  return kept;
}

/** Links are passed over: what they lead to was not written here. */
async function readNotes(folder: string): Promise<Note[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith(".md") && !name.startsWith(".")).map(async (name) => readNote(join(folder, name), name)),
  );
  return found
    .filter((note) => note !== null)
    .toSorted((one, other) => (one.at === other.at ? (one.name < other.name ? -1 : 1) : one.at < other.at ? 1 : -1))
    .map(({ name, text }) => ({ name, text }));
}

async function readNote(path: string, name: string): Promise<(Note & { at: bigint }) | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  if (stats?.isFile() !== true) return null;
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null ? null : { name, text, at: stats.mtimeNs };
}
