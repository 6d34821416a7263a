import type { Note } from "./memory.ts";

/**
 * The part of the memory that an agent is given at its start: whole notes, newest first, together at most `characters`
 * long. What does not fit is named, so that the agent can read it where it needs it.
 */
export function recall(notes: readonly Note[], characters: number): { text: string; leftOut: string[] } {
  const taken: string[] = [];
  const leftOut: string[] = [];
  let room = characters;
  for (const { name, text } of notes) {
    const entry = `### ${name.replace(/\.md$/, "")}\n\n${text.trim()}`;
    const size = entry.length + (taken.length === 0 ? 0 : separator.length);
    if (size > room) {
      leftOut.push(name);
      continue;
    }
    taken.push(entry);
    room -= size;
  }
  return { text: taken.join(separator), leftOut };
}

const separator = "\n\n---\n\n";
