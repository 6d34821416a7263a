/** The text with what cannot be seen spelled out: a folder's name may hold line breaks, or turn the reading direction around. */
export const shown = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
