import { readFile } from "node:fs/promises";
import { join } from "node:path";

export type Block = { kind: string; text: string };

export const root = join(import.meta.dirname, "../..");

/** The fenced blocks of a document, in order. One without a kind has the empty one. */
export async function readBlocks(document: string): Promise<Block[]> {
  return blocksOf(await readFile(join(root, document), "utf8"));
}

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)].map(([, kind = "", inside = ""]) => ({ kind, text: inside }));

/** The one block of a kind that says this. */
export function oneBlock(blocks: readonly Block[], kind: string, words: string): string {
  const [found, ...more] = blocks.filter((each) => each.kind === kind && each.text.includes(words));
  if (found === undefined || more.length > 0) throw new Error(`${more.length + (found ? 1 : 0)} blocks of ${kind} say "${words}".`);
  return found.text;
}
