/**
 * Text of a program as it can be read without being fooled: colours of a terminal are dropped, and every other character
 * that cannot be seen, or that turns the direction of writing, is shown as a sign.
 */
export const visibleText = (text: string): string => text.replaceAll(terminalColour, "").replaceAll("\r\n", "\n").replaceAll(unseen, sign);

const terminalColour = /\u001b\[[\d;:]{0,64}m/g;

/** Control characters but tab and new line; then what joins, hides or turns text; then halves of characters. */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/gu;

const sign = (character: string): string => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
