import { availableParallelism } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobEvent, JobMeta } from "../../guild-members/researcher/job.ts";
import { createAgent } from "../../guild-members/researcher/run-job.ts";
import { createRunQueue } from "../../guild-members/researcher/run-queue.ts";
import type { RunQueue } from "../../guild-members/researcher/run-queue.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import type { JobConfig } from "../../guild-members/researcher/settings.ts";
import { readEvents } from "../../guild-members/researcher/timeline.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { Script, Turn } from "../../src/scripted-model/script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ReplyFunction, ScriptedModel } from "../../src/scripted-model/server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type Stage = {
  model: ScriptedModel;
  /** Of the member: `jobs/` and `memory/` lie in it. */
  folder: string;
  store: JobStore;
  /** Of the member that lives now. */
  queue(): RunQueue;
  /** Ends the member as SIGTERM does, and starts another one on the same folder, which goes on with these jobs. */
  restart(...ids: string[]): Promise<void>;
  /** What the member said of what happens beside its jobs. */
  reports: string[];
  dispatch(task: string, config?: JobConfig): Promise<string>;
  /** Dispatches a job and waits for its end. */
  play(task: string, config?: JobConfig): Promise<Played>;
  /** Of a job that has been played. */
  look(id: string): Promise<Played>;
};

export type Played = { id: string; meta: JobMeta; result: string | null; events: JobEvent[] };

export const key = "sk-key-of-the-researchers-test";

/** The researcher's store, queue and agent with the real SDK, and a model that plays the script; all gone when the test is over. */
export async function setStage(script: Script | ReplyFunction | Turn[], more: StageOptions = {}): Promise<Stage> {
  // A home folder may be called anything, and some of it means something to patterns.
  const folder = join(await temporaryFolder(), "a (b) [c]*");
  const model = await startScriptedModel({ script: Array.isArray(script) ? { turns: script } : script });
  const closing = new AbortController();
  const reports: string[] = [];
  const settings = readSettings({ NODE_ENV: "test" });
  const store = await openJobStore(join(folder, "jobs"), settings.job);
  const { runJob, settled } = createAgent({
    memoryFolder: join(folder, "memory"),
    jobsFolder: join(folder, "jobs"),
    memoryLimits: settings.memory,
    env: { PATH: process.env["PATH"], ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: key, CLAUDE_CODE_MAX_RETRIES: "1", ...more.env },
    closing: closing.signal,
    report: (words) => reports.push(words),
    ...(more.stallMs === undefined ? {} : { stallMs: more.stallMs }),
  });
  const newQueue = () => createRunQueue({ store, runJob, concurrency: 16, startsAtOnce: availableParallelism() });
  let queue = newQueue();
  onTestFinished(async () => {
    closing.abort();
    await queue.stop();
    await settled();
    await model.close();
  });

  async function dispatch(task: string, config: JobConfig = {}): Promise<string> {
    const id = await store.create(task.slice(0, 40), task, config);
    queue.add(id);
    return id;
  }
  async function look(id: string): Promise<Played> {
    const meta = store.find(id)?.meta;
    if (meta === undefined) throw new Error(`There is no job ${id}.`);
    const { events } = await readEvents(store.files.timeline(id), 0);
    return { id, meta, result: await store.files.readResult(id), events };
  }
  async function play(task: string, config?: JobConfig): Promise<Played> {
    const id = await dispatch(task, config);
    await queue.settled(id);
    return look(id);
  }
  async function restart(...ids: string[]): Promise<void> {
    await queue.stop();
    queue = newQueue();
    for (const id of ids) queue.add(id);
  }
  return { model, folder, store, queue: () => queue, restart, reports, dispatch, play, look };
}

export type StageOptions = { env?: Record<string, string>; stallMs?: number };

export const tool = (name: string): string => `mcp__worker-internal__${name}`;

export const call = (name: string, input: NonNullable<NonNullable<Reply["tools"]>[number]["input"]>): Reply => ({
  tools: [{ name, input }],
});

export const eventsOf = <Event extends { type: string }, Type extends Event["type"]>(
  events: readonly Event[],
  type: Type,
): Extract<Event, { type: Type }>[] => events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
