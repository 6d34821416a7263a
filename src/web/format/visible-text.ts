import { showUnseen } from "../../schema/unseen.ts";

/** Text of a program, with signs such as [U+202E] for what cannot be seen. */
export const visibleText = (text: string): string =>
  showUnseen(text, (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`);
