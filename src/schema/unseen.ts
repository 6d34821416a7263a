/**
 * Somebody else's text as it can be read without being fooled: colours of a terminal are dropped, and every other
 * character that cannot be seen, or that turns the direction of writing, becomes what `sign` says. New lines and tabs stay.
 */
export const showUnseen = (text: string, sign: (character: string) => string): string =>
  text.replaceAll(terminalColour, "").replaceAll("\r\n", "\n").replaceAll(unseen, sign);

/**
 * Control characters but tab and new line; then what joins, hides or turns text; then fillers, which look like spaces and are
 * letters; then tags and variants that no text is written with, but whole sentences can be hidden in; then halves of characters.
 */
export const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u115f\u1160\u3164\uffa0\u{e0000}-\u{e0fff}]|\u034f|\p{Cs}/gu;

const terminalColour = /\u001b\[[\d;:]{0,64}m/g;
