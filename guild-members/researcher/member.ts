import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createDoor } from "./door.ts";
import { holdFolderLock } from "./folder-lock.ts";
import { createHandlers } from "./handlers.ts";
import { openJobStore } from "./job-store.ts";
import type { RunJob } from "./job.ts";
import { createMcpServer } from "./mcp-server.ts";
import { recoverJobs } from "./recovery.ts";
import { createRunQueue } from "./run-queue.ts";
import { readSettings } from "./settings.ts";

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
  const jobs = join(folder, "jobs");
  await mkdir(jobs, { recursive: true, mode: 0o700 });
  await holdFolderLock(join(jobs, ".lock"), patienceMs);
  const store = await openJobStore(jobs, settings.job);
  const left = await recoverJobs(store);
  const closing = new AbortController();
  const runJob = whenNeeded(async () => {
    const { createRunJob } = await import("./run-job.ts");
    const onProblem = (reason: string): void => console.error(reason);
    return createRunJob({ memoryFolder: join(folder, "memory"), env: process.env, closing: closing.signal, onProblem });
  });
  const queue = createRunQueue({ store, runJob, concurrency: settings.concurrency, startsAtOnce: availableParallelism() });
  const methods = createHandlers(store, queue);
  const version = readVersion();
  return {
    listener: createDoor({ port, connect: () => createMcpServer(version, methods) }),
    resume: () => left.forEach((id) => queue.add(id)),
    async stop() {
      closing.abort();
      await queue.stop();
    },
  };
}

/** The Agent SDK is large: a worker that has nothing to do does without it. */
function whenNeeded(load: () => Promise<RunJob>): RunJob {
  let loading: Promise<RunJob> | undefined;
  return async (job, signal) => {
    loading ??= load();
    return (await loading)(job, signal);
  };
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("guild-member.json", import.meta.url), "utf8")) as { version: string }; // our own file
  return manifest.version;
}
