import { visibleText } from "./visible-text.ts";

/** Words of a program where there is room for a few lines: what cannot be seen is shown, and what is too long is cut. */
export const briefText = (text: string, most = 300): string =>
  text.length <= most ? visibleText(text) : `${visibleText(text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, ""))}…`;
