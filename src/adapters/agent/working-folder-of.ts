import { open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { namesIn } from "./transcript.ts";

/** The working folder of the conversations in a folder of the SDK, as they say themselves. Null where none does. */
export async function workingFolderOf(folder: string): Promise<string | null> {
  for (const name of await namesIn(folder)) {
    const cwd = name.endsWith(".jsonl") ? await cwdIn(join(folder, name)).catch(() => null) : null;
    if (cwd !== null) return cwd;
  }
  return null;
}

/** The first lines of a transcript are about other things. */
async function cwdIn(path: string): Promise<string | null> {
  await using file = await open(path);
  for await (const line of file.readLines({ autoClose: false })) {
    const entry = Entry.safeParse(parsed(line));
    if (entry.success) return entry.data.cwd;
  }
  return null;
}

const Entry = z.looseObject({ cwd: z.string() });

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A crash may have cut a line short.
    return null;
  }
}
