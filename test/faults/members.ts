import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import type { Opening } from "../../src/adapters/members/played-member.testing.ts";
import { HallError } from "../../src/schema/hall-error.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import type { ReplyFunction } from "../../src/scripted-model/play-script.ts";
import { faultsIn, open, talk, textOf, wholeHistory } from "./conversation.ts";
import type { Conversation, Hall } from "./conversation.ts";
import { processesIn } from "./processes.ts";
import { withHall, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

const well = MemberName.parse("well");
const hostile = MemberName.parse("hostile");
const patienceMs = 60_000;

const transports = ["stdio", "http"] as const;
const openings: readonly [Opening, ...Opening[]] = [
  "well",
  "dies",
  "hangs",
  "talks-nonsense",
  "floods-stderr",
  "ignores-sigterm",
  "forks",
  "never-listens",
  "chatters",
  "serves-no-mcp",
  "greets-only",
];
const pranks = [
  "die",
  "hang",
  "refuse",
  "fork",
  "fork-away",
  "fork-forsaken",
  "close-stdout",
  "forget",
  "talk-nonsense",
  "answer-nonsense",
  "answer-very-deeply",
  "answer-100-megabytes",
  "flood-stderr",
  "no-such-tool",
] as const;

/** Short, so that one that hangs costs no more than a moment. */
const config = { members: { handshakeSeconds: 10, callSeconds: 5 } };

/** Has a member that does harm beside one that works, and sessions that need the one that works. */
export async function sufferMember({ home, random, isShort }: Round): Promise<string[]> {
  const folder = join(dirname(home), "user");
  const transport = random.oneOf(transports);
  const opening = random.oneOf(openings);
  const chosen = Array.from({ length: 4 }, () => random.oneOf(pranks));
  const faults = await withModel(callsAsTold, (model) =>
    withHall({ folder, home, model, config }, async (hall) => {
      await hall.client.roster.add({ name: well, ...commandOf(playedBy("stdio", "well")), confirmed: true });
      await hall.client.roster.add({ name: hostile, ...commandOf(playedBy(transport, opening)), confirmed: true });
      if (!(await untilConnected(hall))) return [`${well} is not connected beside ${hostile} (${transport}, ${opening}).`];
      const worker = await open(hall, "Works", [well]);
      const victim = await open(hall, "Suffers", [well, hostile]);
      const [first = "die", ...others] = chosen;
      const told = await Promise.all([
        works(hall, worker, isShort ? 0 : 2),
        asks(hall, victim, first),
        ...others.map((prank) => callByHand(hall, prank)),
      ]);
      return [...told.flat(), ...(await wordsOf(hall)), ...(await works(hall, victim, 1)), ...(await leaves(hall, home))];
    }),
  );
  return faults.map((fault) => `${fault} (${transport}, ${opening}: ${chosen.join(", ")})`);
}

const commandOf = ({ transport, mcp }: ReturnType<typeof playedBy>) => ({ transport, ...mcp });

/** The person says which tool of which member, and the model calls it. */
const callsAsTold: ReplyFunction = (request) => {
  const { userTexts, step, toolResults, tools } = readConversation(request);
  const name = `mcp__${userTexts.at(-1) ?? ""}`;
  if (step > 1) return { text: `It said: ${toolResults[0]?.text.slice(0, 200) ?? "nothing"}` };
  return tools.includes(name) ? { tools: [{ name, input: { still: "here" } }] } : { text: `I have no ${name}.` };
};

async function untilConnected({ client }: Hall): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(50))
    if ((await client.roster.get(well)).status === "connected") return true;
  return false;
}

async function works(hall: Hall, conversation: Conversation, times: number): Promise<string[]> {
  for (let time = 0; time < times; time += 1) {
    await talk(hall, conversation, `${well}__echo`);
    const { session, messages } = await wholeHistory(hall, conversation.id);
    if (session.error !== null) return [`A session with ${well} failed: ${session.error.message}`];
    const said = textOf(messages.at(-1));
    if (said !== 'It said: {"still":"here"}') return [`A session with ${well} got "${said}".`];
  }
  return faultsIn(hall, conversation);
}

/** The agent is told that the tool failed, or has none, and ends its answer. */
async function asks(hall: Hall, conversation: Conversation, prank: string): Promise<string[]> {
  await talk(hall, conversation, `${hostile}__${prank}`);
  const { session, messages } = await wholeHistory(hall, conversation.id);
  if (session.error !== null) return [`A session that called ${prank} failed: ${session.error.message}`];
  return textOf(messages.at(-1)) === "" ? [`A session that called ${prank} got no answer.`] : [];
}

const inWords = ["member_failed", "member_unavailable", "tool_timeout", "not_found", "conflict", "bad_request"];

async function callByHand({ client }: Hall, prank: string): Promise<string[]> {
  const faults = await client.tools.invoke({ member: hostile, tool: prank, input: {} }).then(
    () => [],
    (error: unknown) => (error instanceof HallError && inWords.includes(error.code) ? [] : [`${prank} by hand: ${String(error)}`]),
  );
  await client.health();
  return faults;
}

async function wordsOf({ client }: Hall): Promise<string[]> {
  const { status, error } = await client.roster.get(hostile);
  return status === "error" && (error === null || !/[.!?”]/.test(error)) ? [`${hostile} failed, and says of it: ${error}`] : [];
}

/** One that a person takes away goes with all it started. */
async function leaves({ client }: Hall, home: string): Promise<string[]> {
  await client.roster.remove(hostile);
  // Its folder is kept elsewhere, and whoever works in it goes with it.
  const left = await processesIn(join(home, "removed-members"));
  return left.map((pid) => `Process ${pid} of ${hostile} is still there.`);
}
