import { condensedName } from "./memory.ts";
import type { Note } from "./memory.ts";

/**
 * The part of the memory that an agent is given at its start: whole notes, newest first, together at most `characters`
 * long. What was condensed stands for all that is older, so it has its place whatever came since. What does not fit is named, so
 * that the agent can read it where it needs it.
 */
export function recall(notes: readonly Note[], characters: number): { text: string; leftOut: string[] } {
  const isCondensed = ({ name }: Note): boolean => name === condensedName;
  const taken = new Set<Note>();
  let room = characters;
  for (const note of [...notes.filter(isCondensed), ...notes.filter((one) => !isCondensed(one))]) {
    const size = entryOf(note).length + (taken.size === 0 ? 0 : separator.length);
    if (size > room) continue;
    taken.add(note);
    room -= size;
  }
  return {
    text: notes
      .filter((note) => taken.has(note))
      .map(entryOf)
      .join(separator),
    leftOut: notes.filter((note) => !taken.has(note)).map(({ name }) => name),
  };
}

const entryOf = ({ name, text }: Note): string => `### ${name.replace(/\.md$/, "")}\n\n${text.trim()}`;

const separator = "\n\n---\n\n";
