import { availableParallelism } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobEvent, JobMeta } from "../../guild-members/researcher/job.ts";
import { createAgent } from "../../guild-members/researcher/run-job.ts";
import { createRunQueue } from "../../guild-members/researcher/run-queue.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { readEvents } from "../../guild-members/researcher/timeline.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { Turn } from "../../src/scripted-model/script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ReplyFunction } from "../../src/scripted-model/server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type Stage = {
  /** Dispatches a job and waits for its end. */
  play(task: string): Promise<Played>;
};

export type Played = { meta: JobMeta; result: string | null; events: JobEvent[] };

export const key = "sk-key-of-the-researchers-test";

/** The researcher's store, queue and agent with the real SDK, and a model that plays the script; all gone when the test is over. */
export async function setStage(script: ReplyFunction | Turn[], more: StageOptions = {}): Promise<Stage> {
  // A home folder may be called anything, and some of it means something to patterns.
  const folder = join(await temporaryFolder(), "a (b) [c]*");
  const model = await startScriptedModel({ script: Array.isArray(script) ? { turns: script } : script });
  const closing = new AbortController();
  const settings = readSettings({ NODE_ENV: "test" });
  const store = await openJobStore(join(folder, "jobs"), settings.job);
  const { runJob, settled } = createAgent({
    memoryFolder: join(folder, "memory"),
    jobsFolder: join(folder, "jobs"),
    memoryLimits: settings.memory,
    env: { PATH: process.env["PATH"], ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: key, CLAUDE_CODE_MAX_RETRIES: "1" },
    closing: closing.signal,
    report: () => undefined,
    ...(more.stallMs === undefined ? {} : { stallMs: more.stallMs }),
  });
  const queue = createRunQueue({ store, runJob, concurrency: 16, startsAtOnce: availableParallelism() });
  onTestFinished(async () => {
    closing.abort();
    await queue.stop();
    await settled();
    await model.close();
  });

  return {
    async play(task) {
      const id = await store.create(task.slice(0, 40), task, {});
      queue.add(id);
      await queue.settled(id);
      const meta = store.find(id)?.meta;
      if (meta === undefined) throw new Error(`There is no job ${id}.`);
      const { events } = await readEvents(store.files.timeline(id), 0);
      return { meta, result: await store.files.readResult(id), events };
    },
  };
}

export type StageOptions = { stallMs?: number };

export const tool = (name: string): string => `mcp__worker-internal__${name}`;

export const call = (name: string, input: NonNullable<NonNullable<Reply["tools"]>[number]["input"]>): Reply => ({
  tools: [{ name, input }],
});

export const eventsOf = <Event extends { type: string }, Type extends Event["type"]>(
  events: readonly Event[],
  type: Type,
): Extract<Event, { type: Type }>[] => events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
