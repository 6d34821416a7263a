import { cp, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { createHallClient } from "../../src/client/hall-client.ts";
import { readQuery } from "../../src/client/read-query.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { Manifest } from "../../src/schema/manifest.ts";
import type { Script } from "../../src/scripted-model/script.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { personKeyOf } from "../person.ts";
import { goesOn } from "./aftermath.ts";
import { faultsIn, open, talk, wholeHistory } from "./conversation.ts";
import type { Conversation, Hall } from "./conversation.ts";
import { faultsInJobs, jobTurns, untilConnected, untilEnded } from "./jobs.ts";
import type { AcceptedJob } from "./jobs.ts";
import { startNetwork } from "./mortal-network.ts";
import type { Death, MortalNetwork } from "./mortal-network.ts";
import { processesIn } from "./processes.ts";
import type { Random } from "./random.ts";
import { environmentOf, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

const played = MemberName.parse("played");
const shiftClock = new URL("shift-clock.ts", import.meta.url).href;

/** Shorter than any sleep, so that whatever counts the time asleep gives up. The researcher waits for two minutes by itself. */
const patience = "agent:\n  stallSeconds: 20\nmembers:\n  callSeconds: 20\n";
const shortSleepMs = 22_000;
const longSleepMs = { least: 125_000, more: 30_000 };
const hourMs = 3_600_000;
const mostHours = 60;
const toolMs = 4000;

const script: Script = {
  turns: [
    { when: { userContains: "Answer" }, reply: { text: "All is well. ".repeat(40), chunkSize: 13, chunkDelayMs: 150 } },
    {
      when: { userContains: "Use the tool", step: 1 },
      reply: { tools: [{ name: `mcp__${played}__take-time`, input: { ms: toolMs } }] },
    },
    { when: { userContains: "Use the tool" }, reply: { text: "The tool said: {{toolResult}}" } },
    ...jobTurns.map(({ when, reply }) => ({ when, reply: { ...reply, delayMs: 1500 } })),
    { reply: { text: "Done." } },
  ],
};

/** Everything stops for minutes in the middle of answers, tools and a job; connections die, and the clock is hours ahead afterwards. */
export function sleepAndWake({ home, random, isShort }: Round): Promise<string[]> {
  const death = isShort ? "none" : random.oneOf<Death>(["none", "reset", "silent"]);
  return withModel(script, async (model) => {
    const network = await startNetwork(model);
    const clock = { NODE_OPTIONS: `--import=${shiftClock}`, CLOCK_SHIFT: join(dirname(home), "shift") };
    const env = { ...environmentOf(model), ANTHROPIC_BASE_URL: network.url, ...clock };
    const sleep = { random, death, sleepMs: isShort ? shortSleepMs : longSleepMs.least + random.below(longSleepMs.more) };
    try {
      await putResearcher(home, clock);
      const hall = await spawnHall(home, { bundled: false, waiting: false, config: patience, env });
      try {
        const faults = await sleepThrough({ hall, home, network, model, clock: clock.CLOCK_SHIFT }, sleep);
        return faults.map((fault) => `${fault} (connections: ${death})`);
      } finally {
        await wake(home, random);
        await hall.end("SIGTERM");
      }
    } finally {
      network.close();
    }
  });
}

type Laptop = { hall: HallProcess; home: string; network: MortalNetwork; model: ScriptedModel; clock: string };
type Sleep = { random: Random; death: Death; sleepMs: number };

async function sleepThrough(laptop: Laptop, sleep: Sleep): Promise<string[]> {
  const { hall, home, model } = laptop;
  const { random, death } = sleep;
  await hall.client.roster.add({ name: played, ...commandOf(playedBy("stdio", "well")), confirmed: true });
  await Promise.all([untilConnected(hall, played), untilConnected(hall)]);
  const cable = new AbortController();
  const reader = readerOf(hall, cable.signal);
  const [answer, tool] = [await open(hall, "Answers"), await open(hall, "Uses a tool", [played])];
  const before = await pidOf(hall);

  const talking = Promise.all([talk(reader, answer, "Answer me.", ["Then this."]), talk(reader, tool, "Use the tool.")]);
  const calling = hall.client.tools.invoke({ member: played, tool: "take-time", input: { ms: toolMs } }).then(
    ({ isError }) => (isError ? ["A call by hand failed over the sleep."] : []),
    (error: unknown) => [`A call by hand got no answer over the sleep: ${String(error)}`],
  );
  // One whose connection is silent fails after the researcher's two minutes, which no round waits for.
  const jobs = death === "silent" ? [] : [await dispatch(hall)];
  for (const text of ["Answer me.", "Use the tool.", ...jobs.map(({ task }) => task)]) {
    await model.waitForRequest(({ conversation }) => conversation.userTexts.some((said) => said.includes(text)));
  }
  await pause(random.below(2500));
  await sleepAndLoseConnections(laptop, sleep, cable);
  await talking;

  return [
    ...(await calling),
    ...(await untilEnded(hall, jobs)),
    ...(await faultsInJobs({ client: hall.client, home }, jobs)),
    ...(await faultsOfAnswers(hall, [answer, tool], death)),
    ...(await toolRanTwice(hall, tool)),
    ...((await pidOf(hall)) === before ? [] : ["A member that only slept was started again."]),
    ...(await goesOn(hall, [answer, tool])),
  ];
}

const commandOf = ({ transport, mcp }: ReturnType<typeof playedBy>) => ({ transport, ...mcp });

async function dispatch({ client }: Hall): Promise<AcceptedJob> {
  const task = "Why do cats sleep?";
  const { jobId } = await client.jobs.dispatch("researcher", { description: task, task });
  return { jobId, task };
}

/** A worker whose clock goes wrong together with that of the hall. */
async function putResearcher(home: string, clock: Record<string, string>): Promise<void> {
  const folder = join(home, "guild-members/researcher");
  await cp(join(import.meta.dirname, "../../guild-members/researcher"), folder, { recursive: true });
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, "guild-member.json"), "utf8")));
  await writeFile(join(folder, "guild-member.json"), JSON.stringify({ ...manifest, mcp: { ...manifest.mcp, env: clock } }));
}

/** A page or a command: it reads on where its connection broke off. */
function readerOf({ url, home, client }: HallProcess, cable: AbortSignal): Hall {
  const cut: typeof fetch = (input, init) =>
    fetch(input, cable.aborted ? init : { ...init, signal: AbortSignal.any([cable, ...(init?.signal ? [init.signal] : [])]) });
  const { sessions } = createHallClient({ baseUrl: url, token: personKeyOf(home), fetch: cut });
  const never = new AbortController().signal;
  const events = (id: Conversation["id"]) => readQuery({ client: sessions, id, lastEventId: undefined, signal: never });
  return { client: { ...client, sessions: { ...client.sessions, events } } };
}

async function sleepAndLoseConnections(
  { home, network, clock }: Laptop,
  { random, death, sleepMs }: Sleep,
  cable: AbortController,
): Promise<void> {
  await stopAll(home);
  network.die(death);
  // What a cut connection looks like to `fetch`.
  if (death !== "none") cable.abort(new TypeError("The cable was pulled."));
  await pause(sleepMs);
  await writeFile(`${clock}.new`, String((1 + random.below(mostHours)) * hourMs));
  await rename(`${clock}.new`, clock);
  await wake(home, random);
}

/** The hall first, so that nothing new is started. */
async function stopAll(home: string): Promise<void> {
  const stopped = new Set<number>();
  for (let found = await processesIn(home); found.some((pid) => !stopped.has(pid)); found = await processesIn(home)) {
    for (const pid of found) {
      stopped.add(pid);
      send(pid, "SIGSTOP");
    }
  }
}

async function wake(home: string, random: Random): Promise<void> {
  const asleep = await processesIn(home);
  while (asleep.length > 0) for (const pid of asleep.splice(random.below(asleep.length), 1)) send(pid, "SIGCONT");
}

function send(pid: number, signal: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in this very moment.
  }
}

async function pidOf({ client }: Hall): Promise<string> {
  return JSON.stringify((await client.tools.invoke({ member: played, tool: "pid", input: {} })).content);
}

/** An answer whose connection died may end with an error that says so. Any other must be whole. */
async function faultsOfAnswers(hall: Hall, conversations: readonly Conversation[], death: Death): Promise<string[]> {
  const found = conversations.map(async (conversation) => {
    const { session } = await hall.client.sessions.get(conversation.id);
    const mayFail = death !== "none" && session.error?.code.startsWith("model_") === true;
    const ended = session.error === null || mayFail ? [] : [`${session.name} ended as ${session.error.code}: ${session.error.message}`];
    return [
      ...ended,
      ...(session.status === "idle" ? [] : [`${session.name} is ${session.status}.`]),
      ...(await faultsIn(hall, conversation)),
    ];
  });
  return (await Promise.all(found)).flat();
}

/** The call by hand is one, and that of the agent another. */
async function toolRanTwice(hall: Hall, { id }: Conversation): Promise<string[]> {
  const { messages } = await wholeHistory(hall, id);
  const results = messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === "tool_result" ? [block.content] : [])));
  const last = await hall.client.tools.invoke({ member: played, tool: "take-time", input: { ms: 0 } });
  const calls = Number(/Call (\d+)\./.exec(JSON.stringify(last.content))?.[1]) - 1;
  return [
    ...(calls === 2 ? [] : [`The slow tool was called ${calls} times, and not twice.`]),
    ...(results.length === 1 ? [] : [`The slow tool of the agent has ${results.length} results.`]),
  ];
}
