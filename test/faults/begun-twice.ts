import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { textOf, wholeHistory } from "./conversation.ts";
import type { Conversation, Hall } from "./conversation.ts";

/** Where the model was asked for a step of an answer more often than somebody said what it answers: work was done, and paid for, twice. */
export async function begunTwice(hall: Hall, conversations: readonly Conversation[], { requests }: ScriptedModel): Promise<string[]> {
  const histories = await Promise.all(conversations.map(({ id }) => wholeHistory(hall, id)));
  const said = histories.flatMap(({ messages }) => messages.filter(({ role }) => role === "user").map(textOf));
  const asked = Map.groupBy(requests, ({ conversation: { userTexts, step } }) => `${step} ${lastLine(userTexts.at(-1) ?? "")}`);
  return [...asked].flatMap(([key, { length: times }]) => {
    const [step, text] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
    const most = said.filter((each) => each === text).length;
    return times > most ? [`"${text}" was said ${most} times, and the model was asked for step ${step} of its answer ${times} times.`] : [];
  });
}

/** What got no answer comes again before what was said next, in the same text. */
const lastLine = (text: string): string => text.split("\n").at(-1) ?? "";
