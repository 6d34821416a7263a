import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import type { Script } from "../../src/scripted-model/script.ts";
import { spawnHall } from "../hall-process.ts";
import { goesOn } from "./aftermath.ts";
import { faultsIn, open, talk, watch } from "./conversation.ts";
import type { Conversation, Hall } from "./conversation.ts";
import type { Random } from "./random.ts";
import { environmentOf, withHall, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

const played = MemberName.parse("played");
const hourMs = 3_600_000;
/** Days enough that the ledger closes some, and forgets that it did when the clock goes back. */
const mostHours = 100;
const patienceMs = 60_000;
/** In dollars, and less than any query here costs. */
const cent = 0.01;

const script: Script = {
  turns: [{ reply: { text: "What time is it?", chunkSize: 2, chunkDelayMs: 60, usage: { inputTokens: 9000, outputTokens: 100 } } }],
};

const shiftClock = new URL("shift-clock.ts", import.meta.url).href;

/** Talks to a session while the clock jumps for hours, forward and back, kills the hall, and goes on in true time. */
export function jumpClock({ home, random, isShort }: Round): Promise<string[]> {
  return withModel(script, async (model) => {
    const file = join(dirname(home), "shift");
    const env = { ...environmentOf(model), NODE_OPTIONS: `--import=${shiftClock}`, CLOCK_SHIFT: file };
    const jump = () => shiftTo(file, (random.below(2 * mostHours) - mostHours) * hourMs);
    const hall = await spawnHall(home, { bundled: false, waiting: false, env });
    try {
      const conversation = await open(hall, "One");
      const faults = await talkThrough(hall, conversation, {
        texts: isShort ? ["Now?"] : ["Now?", "And now?"],
        later: isShort ? [] : ["And after that?"],
        random,
        jump,
      });
      faults.push(...(await fallsAndComesBack(hall, jump)));
      const talking = talk(hall, conversation, "Once more.").catch(() => undefined);
      await pause(random.below(1500));
      await hall.end("SIGKILL");
      await talking;
      return [
        ...faults,
        ...unsortedIn(conversation),
        ...(await withHall({ folder: `${home}-afterwards`, home, model }, async (next) => [
          ...(await faultsAfter(next, conversation)),
          ...(isShort ? [] : await goesOn(next, [conversation])),
        ])),
      ];
    } finally {
      await hall.end("SIGTERM");
    }
  });
}

async function faultsAfter(hall: Hall, conversation: Conversation): Promise<string[]> {
  await watch(hall, conversation);
  const { ofSessions, ofDays } = await moneyOf(hall);
  return [
    ...(await faultsOf(hall, conversation)),
    // One that a crash cut off is no longer added to a day that is over.
    ...(ofDays < ofSessions + cent ? [] : [`The sessions cost ${ofSessions}, and all days together ${ofDays}.`]),
  ];
}

/** Put in place whole: the hall may look at any moment. */
async function shiftTo(file: string, ms: number): Promise<void> {
  await writeFile(`${file}.new`, String(ms));
  await rename(`${file}.new`, file);
}

async function talkThrough(
  hall: Hall,
  conversation: Conversation,
  { texts, later, random, jump }: { texts: readonly string[]; later: readonly string[]; random: Random; jump: () => Promise<void> },
): Promise<string[]> {
  for (const text of texts) {
    const talking = talk(hall, conversation, text, later);
    await pause(random.below(1500));
    await jump();
    await talking;
    await jump();
  }
  const { ofSessions, ofDays } = await moneyOf(hall);
  return [
    ...(await faultsOf(hall, conversation)),
    ...(Math.abs(ofDays - ofSessions) < 1e-5 ? [] : [`The sessions cost ${ofSessions}, and all days together ${ofDays}.`]),
  ];
}

/** Only as long as a hall lives: another one begins at what the clock says then. */
function unsortedIn({ id, accepted }: Conversation): string[] {
  const isSorted = accepted.toSorted().join() === accepted.join();
  return isSorted ? [] : [`The messages of ${id} do not sort as they were sent: ${accepted.join(", ")}.`];
}

async function faultsOf(hall: Hall, conversation: Conversation): Promise<string[]> {
  const { sessions: running } = await hall.client.sessions.list({ status: "running" });
  return [...(await faultsIn(hall, conversation)), ...running.map(({ id }) => `${id} is listed as running.`)];
}

/** What waits for a start after a crash waits for as long as it was told, whatever the clock says. */
async function fallsAndComesBack({ client }: Hall, jump: () => Promise<void>): Promise<string[]> {
  const { transport, mcp } = playedBy("stdio", "well");
  await client.roster.add({ name: played, transport, ...mcp, confirmed: true });
  const untilBack = async (): Promise<boolean> => {
    for (const end = performance.now() + patienceMs; performance.now() < end; await pause(50))
      if ((await client.roster.get(played)).status === "connected") return true;
    return false;
  };
  if (!(await untilBack())) return [`${played} was not started.`];
  const dead = await client.tools.invoke({ member: played, tool: "die", input: {} }).then(
    () => ["A member that died has answered."],
    () => [],
  );
  await jump();
  return [...dead, ...((await untilBack()) ? [] : [`${played} was not started again after the clock had jumped.`])];
}

async function moneyOf({ client }: Hall): Promise<{ ofSessions: number; ofDays: number }> {
  const { sessions } = await client.sessions.list({ limit: 100 });
  const { days } = await client.spending.get();
  const sum = (costs: readonly { costUsd: number }[]) => costs.reduce((total, { costUsd }) => total + costUsd, 0);
  return { ofSessions: sum(sessions), ofDays: sum(days) };
}
