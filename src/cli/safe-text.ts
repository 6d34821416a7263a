/**
 * Somebody else's text for a terminal: whatever could move the cursor, hide or turn around what stands there is shown as
 * its number. New lines and tabs stay.
 */
export const safeText = (text: string): string => text.replaceAll(colours, "").replaceAll("\r\n", "\n").replaceAll(unseen, asNumber);

/** One argument of a command, so that where it begins and ends can be seen. */
export const quoted = (argument: string): string => safeText(JSON.stringify(argument));

const colours = /\u001b\[[\d;:]{0,64}m/g;

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/gu;

const asNumber = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
