const tinctures = ["madder", "azure", "vert", "plum", "sable", "tenne", "teal", "olive"] as const;

/** The colour of a monogram's field: always the same for the same name. */
export const tinctureOf = (name: string): string => `var(--t-${pick(tinctures, `tincture ${name}`)})`;

/** One of a few choices, by the hash (FNV-1a) of a text. */
export function pick<Choice>(choices: readonly [Choice, ...Choice[]], text: string): Choice {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return choices[(hash >>> 0) % choices.length] ?? choices[0];
}
