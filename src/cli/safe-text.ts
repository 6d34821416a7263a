import { showUnseen, unseen } from "../schema/unseen.ts";

/**
 * Somebody else's text for a terminal: whatever could move the cursor, hide or turn around what stands there is shown as
 * its number. New lines and tabs stay.
 */
export const safeText = (text: string): string => showUnseen(text, asNumber);

/** Somebody else's text for a file or a pipe: exact, but for what would steer the terminal it is shown on one day. */
export const plainText = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll(controls, asNumber);

/** The same for text that comes in pieces: what only the next piece can tell is held back until it is there. */
export function createSafeFlow(clean: (text: string) => string): { take(piece: string): string; rest(): string } {
  let held = "";
  return {
    take(piece) {
      const text = held + piece;
      held = unfinished.exec(text)?.[0] ?? "";
      return clean(text.slice(0, text.length - held.length));
    },
    rest() {
      const last = clean(held);
      held = "";
      return last;
    },
  };
}

/** A document for programs: exact, and written so that it does nothing to a terminal. */
export const jsonText = (document: unknown): string => JSON.stringify(document).replaceAll(unseen, asEscape);

/** One argument of a command, so that where it begins and ends can be seen. */
export const quoted = (argument: string): string => safeText(JSON.stringify(argument));

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/gu;

/** Half a line break, half a character, or the beginning of a colour. */
const unfinished = /(?:\r|[\ud800-\udbff]|\u001b(?:\[[\d;:]{0,64})?)$/;

const asEscape = (character: string): string => character.split("").map(unitAsEscape).join("");
const unitAsEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const asNumber = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
