import type { Conversation } from "./conversation.ts";
import { readConversation } from "./conversation.ts";
import { matchCondition } from "./match-condition.ts";
import type { ModelRequest } from "./model-request.ts";
import { fillPlaceholders } from "./placeholders.ts";
import type { Reply } from "./reply.ts";
import type { Script } from "./script.ts";

/** Answers a request, or nothing where it has no answer, which the server reports as an error. */
export type ReplyFunction = (request: ModelRequest) => Reply | undefined;

/** Only `times` needs a memory, and it is a bounded one: everything else is read off the request. */
export function playScript(script: Script): ReplyFunction {
  const asked = createCounter(1_000);
  return (request) => {
    const conversation = readConversation(request);
    for (const [index, turn] of script.turns.entries()) {
      if (!matchCondition(turn.when ?? {}, conversation)) continue;
      if (turn.times !== undefined && asked(`${index} ${placeOf(request, conversation)}`) > turn.times) continue;
      return fillPlaceholders({ ...script.defaults, ...turn.reply }, conversation);
    }
    return undefined;
  };
}

/** Where in which conversation a request stands: the same for each retry of it. */
const placeOf = (request: ModelRequest, { userTexts, step }: Conversation): string =>
  JSON.stringify([request.metadata?.user_id, userTexts.length, userTexts.at(-1)?.slice(0, 200), step]);

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
