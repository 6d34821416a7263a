/**
 * The line, from 1, on which a text stops being JSON; the last one where it only ends too early. Node says where for some
 * mistakes and not for others, so the shortest beginning is looked for that no ending could save.
 */
export function lineOfMistake(text: string): number {
  let [sound, spoilt] = [0, text.length + 1];
  while (spoilt - sound > 1) {
    const middle = Math.floor((sound + spoilt) / 2);
    if (isSpoilt(text.slice(0, middle))) spoilt = middle;
    else sound = middle;
  }
  return text.slice(0, sound).split("\n").length;
}

/** Whether something in it is wrong, and not only missing at its end. */
function isSpoilt(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return false;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (/^Unexpected end|^Unterminated string/.test(error.message)) return false;
    const position = /at position (\d+)/.exec(error.message)?.[1];
    return position === undefined || Number(position) < beginning.length;
  }
}
