import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Script } from "../../src/scripted-model/script.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { faultsInJobs, jobTurns, untilConnected, untilEnded } from "./jobs.ts";
import type { AcceptedJob, JobHall } from "./jobs.ts";
import { processesOf, sayOfEach } from "./processes.ts";
import { environmentOf, withHall, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

const tasks = ["Why are there tides?", "Why is the sea salt?", "Why do ships float?"];
const script: Script = { turns: [...jobTurns, { reply: { text: "Done." } }] };
/** Long enough to be killed in any part of it. */
const longestMs = 6000;

/** Has jobs done, kills the hall somewhere in them, starts it again and looks at what became of each. */
export function killHallAtJobs({ home, random, isShort }: Round): Promise<string[]> {
  return withModel(script, async (model) => {
    const accepted = await withWorker(home, model, async (hall) => {
      const dispatching = dispatchAll(hall, isShort ? tasks.slice(0, 1) : tasks);
      await pause(random.below(longestMs));
      await hall.end("SIGKILL");
      return dispatching;
    });
    return withHall({ folder: `${home}-afterwards`, home, model }, (hall) => faultsAfter(hall, accepted));
  });
}

/** The same, but the hall goes on and its worker is killed. */
export function killWorkerAtJobs({ home, random, isShort }: Round): Promise<string[]> {
  return withModel(script, (model) =>
    withWorker(home, model, async (hall) => {
      const dispatching = dispatchAll(hall, isShort ? tasks.slice(0, 1) : tasks);
      await pause(random.below(longestMs));
      process.kill(await workerOf(home), "SIGKILL");
      const accepted = await dispatching;
      return faultsAfter(hall, accepted);
    }),
  );
}

async function workerOf(home: string): Promise<number> {
  const record = await readFile(join(home, "state/members/researcher.json"), "utf8");
  const [, pid] = /"pid":\s*(\d+)/.exec(record) ?? [];
  if (pid === undefined) throw new Error("The hall has no record of its worker.");
  return Number(pid);
}

/** A hall in a process of its own that asks the model, with its worker; whatever happens, it is not left. */
async function withWorker<Answer>(home: string, model: ScriptedModel, strike: (hall: HallProcess) => Promise<Answer>): Promise<Answer> {
  const hall = await spawnHall(home, { bundled: "researcher", waiting: false, env: environmentOf(model) });
  try {
    await untilConnected(hall);
    return await strike(hall);
  } finally {
    await hall.end("SIGTERM");
  }
}

/** Answers those that were accepted; of the others nobody can know. */
async function dispatchAll({ client }: JobHall, wanted: readonly string[]): Promise<AcceptedJob[]> {
  const answers = wanted.map(async (task) =>
    client.jobs.dispatch("researcher", { description: task, task }).then(
      ({ jobId }) => [{ jobId, task }],
      () => [],
    ),
  );
  return (await Promise.all(answers)).flat();
}

async function faultsAfter(hall: JobHall, accepted: readonly AcceptedJob[]): Promise<string[]> {
  await untilConnected(hall);
  const twice = await untilEnded(hall, accepted);
  const faults = [...twice, ...(await faultsInJobs(hall, accepted))];
  const { jobs } = await hall.client.jobs.list();
  if (jobs.length > tasks.length) faults.push(`There are ${jobs.length} jobs, and ${tasks.length} were dispatched.`);
  const left = await processesOf(join(hall.home, "guild-members/researcher/jobs"));
  return [...faults, ...(await sayOfEach(left, "outlived its job"))];
}
