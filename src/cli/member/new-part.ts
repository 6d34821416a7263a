/** How much of the end of what was seen is looked for; repeated lines shorter than this may be told twice or not at all. */
const tailLength = 512;

/** What came since, of a text that grows at its end and is cut at its beginning. All of it where nothing of the old is left. */
export function newPart(before: string, now: string): string {
  if (now.startsWith(before)) return now.slice(before.length);
  const tail = before.slice(-tailLength);
  const at = now.lastIndexOf(tail);
  return at === -1 ? now : now.slice(at + tail.length);
}
