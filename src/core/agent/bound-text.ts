/** Of the text of one result of a tool. */
export const maxResultCharacters = 200_000;

/** Cuts a tool's result, with a sentence about what was left out. */
export function boundText(text: string, room: number): string {
  if (text.length <= room) return text;
  const note = `[Cut here: the result has ${text.length} characters, and ${text.length - room} of them were left out. Ask for a part of it.]`;
  return room === 0 ? note : `${text.slice(0, room)}\n${note}`;
}
