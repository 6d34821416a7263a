import type { Conversation } from "./conversation.ts";
import type { Condition } from "./script.ts";

/** True where every condition that is given holds. */
export function matchCondition(condition: Condition, conversation: Conversation): boolean {
  // The keys of a condition are those of the table, which the type of the table says and Object.keys forgets.
  const keys = Object.keys(tests) as (keyof Wanted)[];
  return keys.every((key) => holds(key, condition[key], conversation));
}

type Wanted = { [Key in keyof Condition]-?: NonNullable<Condition[Key]> };
type Tests = { [Key in keyof Wanted]: (wanted: Wanted[Key], conversation: Conversation) => boolean };

const tests: Tests = {
  systemContains: (wanted, { system }) => some(wanted, (part) => contains(system, part)),
  userContains: (wanted, { userTexts }) => some(wanted, (part) => contains(userTexts.at(-1) ?? "", part)),
  userMatches: (wanted, { userTexts }) => some(wanted, (pattern) => matchesWildcard(userTexts.at(-1) ?? "", pattern)),
  toolResultContains: (wanted, { toolResults }) => toolResults.some((result) => some(wanted, (part) => contains(result.text, part))),
  toolFailed: (wanted, { toolResults }) => toolResults.length > 0 && toolResults.some((result) => result.isError) === wanted,
  afterTool: (wanted, { toolResults }) => toolResults.some((result) => some(wanted, (name) => name === result.name)),
  toolOffered: (wanted, { tools }) => some(wanted, (name) => tools.includes(name)),
  toolNotOffered: (wanted, { tools }) => !some(wanted, (name) => tools.includes(name)),
  step: (wanted, { step }) => step === wanted,
  userMessage: (wanted, { userTexts }) => userTexts.length === wanted,
};

function holds<Key extends keyof Wanted>(key: Key, wanted: Wanted[Key] | undefined, conversation: Conversation): boolean {
  return wanted === undefined || tests[key](wanted, conversation);
}

const some = (oneOrMore: string | readonly string[], test: (one: string) => boolean): boolean =>
  (typeof oneOrMore === "string" ? [oneOrMore] : oneOrMore).some(test);

export const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** The whole text against a pattern in which `*` stands for any text. Takes the leftmost place of each part, so no pattern can take long. */
export function matchesWildcard(text: string, pattern: string): boolean {
  const subject = text.trim().toLowerCase();
  const parts = pattern.trim().toLowerCase().split("*");
  const head = parts[0] ?? "";
  const tail = parts.at(-1) ?? "";
  if (parts.length === 1) return subject === head;
  const end = subject.length - tail.length;
  if (!subject.startsWith(head) || !subject.endsWith(tail) || end < head.length) return false;
  let at = head.length;
  for (const part of parts.slice(1, -1)) {
    const found = subject.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
