import type { Conversation } from "./conversation.ts";
import { readConversation } from "./conversation.ts";
import type { ModelRequest } from "./model-request.ts";
import { fillPlaceholders } from "./placeholders.ts";
import type { Reply } from "./reply.ts";
import type { Condition, Script } from "./script.ts";

/** Answers a request, or nothing where it has no answer, which the server reports as an error. */
export type ReplyFunction = (request: ModelRequest) => Reply | undefined;

/** Only `times` needs a memory, and it is a bounded one: everything else is read off the request. */
export function playScript(script: Script): ReplyFunction {
  const asked = createCounter(1_000);
  return (request) => {
    const conversation = readConversation(request);
    for (const [index, turn] of script.turns.entries()) {
      if (!holds(turn.when ?? {}, conversation)) continue;
      if (turn.times !== undefined && asked(`${index} ${placeOf(request, conversation)}`) > turn.times) continue;
      return fillPlaceholders({ ...script.defaults, ...turn.reply }, conversation);
    }
    return undefined;
  };
}

function holds(condition: Condition, conversation: Conversation): boolean {
  const user = conversation.userTexts.at(-1) ?? "";
  const result = conversation.lastToolResult;
  const {
    systemContains,
    userContains,
    userMatches,
    toolResultContains,
    toolFailed,
    afterTool,
    toolOffered,
    toolNotOffered,
    step,
    userMessage,
  } = condition;
  const offered = (name: string) => conversation.tools.includes(name);
  return [
    systemContains === undefined || some(systemContains, (part) => contains(conversation.system, part)),
    userContains === undefined || some(userContains, (part) => contains(user, part)),
    userMatches === undefined || some(userMatches, (pattern) => matches(user, pattern)),
    toolResultContains === undefined || (result !== undefined && some(toolResultContains, (part) => contains(result.text, part))),
    toolFailed === undefined || result?.isError === toolFailed,
    afterTool === undefined || (result !== undefined && some(afterTool, (name) => name === result.name)),
    toolOffered === undefined || some(toolOffered, offered),
    toolNotOffered === undefined || !some(toolNotOffered, offered),
    step === undefined || conversation.step === step,
    userMessage === undefined || conversation.userTexts.length === userMessage,
  ].every(Boolean);
}

const some = (oneOrMore: string | readonly string[], test: (one: string) => boolean): boolean =>
  (typeof oneOrMore === "string" ? [oneOrMore] : oneOrMore).some(test);

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Greedy from the left and without backtracking, so no pattern can take long. */
export function matches(text: string, pattern: string): boolean {
  const subject = text.trim().toLowerCase();
  const parts = pattern.trim().toLowerCase().split("*");
  const head = parts[0] ?? "";
  if (parts.length === 1) return subject === head;
  const tail = parts.at(-1) ?? "";
  if (!subject.startsWith(head) || !subject.endsWith(tail) || subject.length < head.length + tail.length) return false;
  let at = head.length;
  const end = subject.length - tail.length;
  for (const part of parts.slice(1, -1)) {
    const found = subject.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Where in which conversation a request stands: the same for each retry of it. */
const placeOf = (request: ModelRequest, conversation: Conversation): string =>
  JSON.stringify([
    request.metadata?.user_id ?? "",
    conversation.userTexts.length,
    conversation.userTexts.at(-1)?.slice(0, 200),
    conversation.step,
  ]);

function createCounter(limit: number): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, count);
    const oldest = counts.keys().next();
    if (counts.size > limit && oldest.done === false) counts.delete(oldest.value);
    return count;
  };
}
