import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createDoor } from "./door.ts";
import { sweepTemporaries } from "./durable-file.ts";
import { childEnvironment, configFolderOf } from "./environment.ts";
import { holdFolderLock } from "./folder-lock.ts";
import { createHandlers } from "./handlers.ts";
import { openJobStore } from "./job-store.ts";
import type { JobStore } from "./job-store.ts";
import { createMcpServer } from "./mcp-server.ts";
import { recoverJobs } from "./recovery.ts";
import type { Agent } from "./run-job.ts";
import { createRunQueue } from "./run-queue.ts";
import { findSession, forgetSession } from "./session-file.ts";
import { readSettings } from "./settings.ts";
import { missingSearch } from "./web-search.ts";

export type Member = {
  listener: RequestListener;
  /** Runs what an earlier process left. */
  resume(): void;
  /** Ends all runs; their jobs can be resumed. */
  stop(): Promise<void>;
};

/** How long a successor waits for the process before it to be gone. */
const patienceMs = 10_000;

/** Puts the worker together: one process, one folder, one queue. */
export async function startMember({ folder, port }: { folder: string; port: number }): Promise<Member> {
  const settings = readSettings(process.env);
  const [jobs, memory] = [join(folder, "jobs"), join(folder, "memory")];
  await mkdir(jobs, { recursive: true, mode: 0o700 });
  await holdFolderLock(join(jobs, ".lock"), patienceMs);
  await sweepTemporaries(memory);
  const store = await openJobStore(jobs, settings.job);
  const left = await recoverJobs(store);
  const closing = new AbortController();
  const agent = whenNeeded(async () => {
    const { createAgent } = await import("./run-job.ts");
    return createAgent({
      memoryFolder: memory,
      jobsFolder: jobs,
      memoryLimits: settings.memory,
      env: process.env,
      closing: closing.signal,
      report: (words) => console.error(words),
    });
  });
  const { concurrency } = settings;
  const queue = createRunQueue({ store, runJob: agent.runJob, concurrency, startsAtOnce: availableParallelism() });
  const methods = createHandlers({ store, queue, notice: missingSearch(process.env), forget: createForget(store) });
  const manifest = readManifest();
  return {
    listener: createDoor({ port, mark: process.env["GUILD_HALL_MEMBER"], connect: () => createMcpServer(manifest, methods) }),
    resume: () => left.forEach((id) => queue.add(id)),
    async stop() {
      closing.abort();
      await queue.stop();
      await agent.settled();
    },
  };
}

/** A person's login keeps the sessions of jobs in the folder it was made in, where deleting the job does not reach. */
const createForget =
  (store: JobStore) =>
  async (jobId: string): Promise<void> => {
    const session = await findSession(configFolderOf(childEnvironment(process.env, store.files.sdkFolder(jobId))), jobId);
    if (session !== null) await forgetSession(session);
  };

/** The Agent SDK is large: a worker that has nothing to do does without it. */
export function whenNeeded(load: () => Promise<Agent>): Agent {
  let loading: Promise<Agent> | undefined;
  return {
    async runJob(job, signal) {
      loading ??= load().catch((error: unknown) => {
        // It may have been for want of memory or files; the next job tries again.
        loading = undefined;
        throw error;
      });
      return (await loading).runJob(job, signal);
    },
    settled: async () => (await loading?.catch(() => undefined))?.settled(),
  };
}

/** A copy of this worker has a name of its own. */
const readManifest = (): { name: string; version: string } =>
  z
    .object({ name: z.string(), version: z.string() })
    .parse(JSON.parse(readFileSync(new URL("guild-member.json", import.meta.url), "utf8")));
