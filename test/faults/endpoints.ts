import { dirname, join } from "node:path";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import type { ReplyFunction } from "../../src/scripted-model/play-script.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { faultsIn, open, talk, textOf, wholeHistory } from "./conversation.ts";
import type { Conversation, Hall } from "./conversation.ts";
import { processesOf, sayOfEach } from "./processes.ts";
import type { Random } from "./random.ts";
import { withHall, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

/** How the model's side fails, at which message and which step of it, and how often before it is well again. */
type Trouble = { message: number; step: number; times: number; reply: Reply };

const allNames = ["One", "Two", "Three"];
/** Two rounds of tools, and then the answer. */
const steps = 3;
/** Longer than an agent takes to start where much else is going on. */
const stallSeconds = 20;

/** Talks to three sessions at once while their endpoint fails each of them somewhere, and looks at what they say of it. */
export function sufferEndpoint({ home, random, isShort }: Round): Promise<string[]> {
  const names = isShort ? allNames.slice(0, 1) : allNames;
  const lastMessage = isShort ? 2 : 3;
  const troubles = new Map<string, Trouble>(names.map((name) => [name, chooseTrouble(random, lastMessage)]));
  return withModel(troubled(troubles), (model) =>
    withHall({ folder: join(dirname(home), "user"), home, model, config: { agent: { stallSeconds } } }, async (hall) => {
      const faults = await Promise.all(names.map((name) => converse(hall, name, lastMessage)));
      const left = await processesOf(`${home}/claude`);
      return [...faults.flat(), ...(await sayOfEach(left, "outlived its run"))];
    }),
  );
}

function chooseTrouble(random: Random, lastMessage: number): Trouble {
  const reply = random.oneOf(troubleReplies);
  return {
    message: 1 + random.below(lastMessage - 1),
    step: 1 + random.below(steps),
    // Once or twice, which is tried again, or for as long as anybody tries.
    times: random.oneOf([1, 2, Infinity]),
    reply: reply.fault === undefined ? reply : { ...reply, fault: { ...reply.fault, afterChunks: random.below(4) } },
  };
}

const refusal = (status: number, retryAfter?: number): Reply => ({
  error: { status, message: "This endpoint does not want to.", ...(retryAfter === undefined ? {} : { retryAfter }) },
});
const broken = (how: NonNullable<Reply["fault"]>["how"]): Reply => ({
  text: "I was about to say something",
  chunkSize: 4,
  chunkDelayMs: 5,
  fault: { how },
});

const troubleReplies: readonly [Reply, ...Reply[]] = [
  refusal(400),
  refusal(401),
  refusal(403),
  refusal(429, 1),
  refusal(429, 7200),
  refusal(500),
  refusal(529),
  ...(["reset", "hang", "stall", "cut", "end", "malformed", "error-event", "html"] as const).map(broken),
];

/** What the person wrote begins with the name of the session. */
function troubled(troubles: ReadonlyMap<string, Trouble>): ReplyFunction {
  const tries = new Map<string, number>();
  return (request) => {
    const { userTexts, step } = readConversation(request);
    const said = userTexts.at(-1) ?? "";
    const name = said.split(":")[0] ?? "";
    const trouble = troubles.get(name);
    const tried = tries.get(name) ?? 0;
    if (trouble !== undefined && said.endsWith(` ${trouble.message}`) && step === trouble.step && tried < trouble.times) {
      tries.set(name, tried + 1);
      return trouble.reply;
    }
    return step < steps ? { tools: [{ name: "Glob", input: { pattern: "*" } }] } : { text: `Done with ${said}` };
  };
}

async function converse(hall: Hall, name: string, lastMessage: number): Promise<string[]> {
  const conversation = await open(hall, name);
  const faults: string[] = [];
  for (let message = 1; message <= lastMessage; message += 1) {
    const text = `${name}: message ${message}`;
    await talk(hall, conversation, text);
    faults.push(...(await faultsOfAnswer(hall, conversation, text, message === lastMessage)));
  }
  return [...faults, ...(await faultsIn(hall, conversation))];
}

async function faultsOfAnswer(hall: Hall, conversation: Conversation, text: string, mustSucceed: boolean): Promise<string[]> {
  const { session, messages } = await wholeHistory(hall, conversation.id);
  const { error, status } = session;
  if (status !== "idle") return [`${text} left its session ${status}.`];
  if (error === null) {
    const answer = textOf(messages.at(-1));
    // The model is told again what it was told before and did not answer at all.
    return answer.includes("Done with ") && answer.endsWith(text) ? [] : [`${text} is told as answered, and the answer is "${answer}".`];
  }
  if (mustSucceed) return [`${text} was not answered by an endpoint that is well again: ${error.message}`];
  return error.code.startsWith("model_") && /[.!?]$/.test(error.message) ? [] : [`${text} ended as ${error.code}: ${error.message}`];
}
