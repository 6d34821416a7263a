/** Names that say nothing of what a session is about: nobody thought about them. */
export const isPlaceholderName = (name: string): boolean =>
  /^(?:untitled|new session|session|a first look|first session)(?: \d+)?$/i.test(name.trim());

/** What a session is called until something is said in it, where nobody gave it a name. */
export const unnamed = "New session";

const longest = 48;
/** What comes after this is not the first sentence. */
const mostRead = 2000;

/** A name for a session from what was asked first in it: its first sentence, without what people say to be polite. */
export function suggestName(message: string): string | null {
  const line = plain(message.slice(0, mostRead))
    .split("\n")
    .map((each) => each.trim())
    .find((each) => /\p{L}{2}/u.test(each));
  if (line === undefined) return null;
  const sentence = openingOf(line);
  const bare = sentence.replace(polite, "").replace(/[\s.?!:,;–-]+$/u, "");
  const name = shortened(bare === "" ? sentence : bare);
  return /\p{L}{2}/u.test(name) ? name.charAt(0).toLocaleUpperCase() + name.slice(1) : null;
}

/** The first sentence. A word or two before a colon say what the rest is for, and nothing without it. */
function openingOf(line: string): string {
  for (const { index } of line.matchAll(/[.?!:]\s/g)) {
    const opening = line.slice(0, index + 1);
    if (!opening.endsWith(":") || opening.split(/\s+/).length > 2) return opening;
  }
  return line;
}

/** Code says little in one line, and marks say nothing. */
const plain = (text: string): string =>
  text
    .split(/^(?:`{3,}|~{3,}).*$/m)
    .filter((_, index) => index % 2 === 0)
    .join("\n")
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*_]{1,3}/g, "");

const polite =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| claude)?[,.!]*\s+)?(?:please\s+)?(?:(?:can|could|would|will) you\s+(?:please\s+)?|i (?:want|need|would like) (?:you )?to\s+|i'd like (?:you )?to\s+|let's\s+|help me (?:to )?)?/i;

function shortened(text: string): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest + 1);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > longest / 2 ? space : longest).replace(/[\s,;:–-]+$/u, "")}…`;
}
