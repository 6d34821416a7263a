import { setTimeout as pause } from "node:timers/promises";
import { demoScript } from "../../src/scripted-model/demo/demo-script.ts";
import { spawnHall } from "../hall-process.ts";
import { faultsAfter, goesOn } from "./aftermath.ts";
import { begunTwice } from "./begun-twice.ts";
import { faultsIn, open, talk } from "./conversation.ts";
import { killIfThere, processesOf, sayOfEach } from "./processes.ts";
import type { Random } from "./random.ts";
import { environmentOf, withHall, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

const quick = ["hello", "markdown"] as const;
const things = [...quick, "failing tool", "tour", "long answer"] as const;

/** Talks to two sessions at once, kills the hall somewhere in it, starts it again and looks at what is left. */
export function killHall({ home, random, isShort }: Round): Promise<string[]> {
  return withModel(demoScript, async (model) => {
    const hall = await spawnHall(home, { bundled: false, env: environmentOf(model), ...(isShort ? { waiting: false } : {}) });
    const conversations = [await open(hall, "One"), ...(isShort ? [] : [await open(hall, "Two")])];
    const talking = Promise.all(conversations.map((each) => talk(hall, each, ...plan(random, things, isShort)).catch(() => undefined)));
    await pause(random.below(2500));
    await hall.end("SIGKILL");
    await talking;
    return faultsAfter(home, conversations, model);
  });
}

/** Talks to a session, and the hall dies between two writes as one of its messages comes into the history. */
export function killHallAtWrite({ home, random, isShort }: Round): Promise<string[]> {
  // A question and its answer, and as many once more where one waits behind it.
  const messages = isShort ? 2 : 4;
  return withModel(demoScript, async (model) => {
    const hall = await spawnHall(home, {
      bundled: false,
      waiting: false,
      env: {
        ...environmentOf(model),
        NODE_OPTIONS: `--import=${dieAtWrite}`,
        DIE_AT_WRITE: `${1 + random.below(messages)}.${random.below(12)}`,
      },
    });
    const conversation = await open(hall, "One");
    await talk(hall, conversation, ...plan(random, quick, isShort)).catch(() => undefined);
    await hall.end("SIGKILL");
    return faultsAfter(home, [conversation], model);
  });
}

const dieAtWrite = new URL("die-at-write.ts", import.meta.url).href;

/** What is said at once, and what waits for its turn behind it. */
function plan(random: Random, first: readonly [string, ...string[]], isShort = false): [string, string[]] {
  const [text, later] = [random.oneOf(first), random.oneOf(quick)];
  return [text, isShort ? [] : [later]];
}

/** Talks to a session, kills its agent's process somewhere in it, and looks at what is left. The hall goes on. */
export function killAgent({ home, random, isShort }: Round): Promise<string[]> {
  return withModel(demoScript, (model) =>
    withHall({ folder: `${home}-user`, home, model }, async (hall) => {
      const conversation = await open(hall, "One");
      const talking = talk(hall, conversation, ...plan(random, things, isShort));
      await pause(random.below(2500));
      for (const pid of await processesOf(`${home}/claude`)) killIfThere(pid);
      await talking;
      const left = await processesOf(`${home}/claude`);
      return [
        ...(await faultsIn(hall, conversation)),
        ...(await sayOfEach(left, "outlived its run")),
        ...(await goesOn(hall, [conversation])),
        ...(await begunTwice(hall, [conversation], model)),
      ];
    }),
  );
}
