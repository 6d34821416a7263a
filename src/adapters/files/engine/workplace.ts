import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import type { JobHandler, JobWorker, WorkLimits } from "../../../core/job/job-engine.ts";
import { HallError } from "../../../schema/hall-error.ts";
import type { EngineJobId } from "../../../schema/ids.ts";
import { takeKernelLock } from "../kernel-lock.ts";
import type { KernelLock } from "../kernel-lock.ts";
import type { EngineLayout } from "../layout.ts";
import { identifyThisProcess } from "../process-identity.ts";
import type { ProcessIdentity } from "../process-identity.ts";
import { idIn } from "./job-files.ts";
import type { JobFiles } from "./job-files.ts";
import { createKindWorker } from "./kind-worker.ts";
import type { KindWorker } from "./kind-worker.ts";
import type { OpenJob } from "./open-job.ts";
import { createOwnedJobs } from "./owned-jobs.ts";
import type { OwnedJobs } from "./owned-jobs.ts";

type Deps = {
  layout: EngineLayout;
  files: JobFiles;
  now: () => string;
  onProblem: (error: unknown) => void;
  recheckMs: number;
  /** This process is writing it: its file is there before it is durable. */
  isSubmitting: (id: EngineJobId) => boolean;
};

type Ownership = { jobs: OwnedJobs; lock: KernelLock; watcher: FSWatcher | null; loaded: Promise<void> };

/**
 * Where the jobs of a folder are worked on. One process at a time owns it, from its first worker to the end of its last
 * handler, so that lanes and limits hold for all; others stand by.
 */
export function createWorkplace({ layout, files, now, onProblem, recheckMs, isSubmitting }: Deps) {
  const workers = new Map<string, KindWorker>();
  let ownership: Ownership | null = null;
  let timer: NodeJS.Timeout | null = null;

  /** No event tells that another process has ended, so that is looked at now and then, only while one is in the way. */
  function recheckLater(thisProcess: ProcessIdentity): void {
    timer ??= setTimeout(() => {
      timer = null;
      (ownership === null ? own(thisProcess) : ownership.jobs.settleAll()).catch((error: unknown) => {
        onProblem(error);
        if (workers.size > 0) recheckLater(thisProcess);
      });
    }, recheckMs);
  }

  async function own(thisProcess: ProcessIdentity): Promise<void> {
    const lock = takeKernelLock(layout.lock);
    if (lock === null) return recheckLater(thisProcess);
    const jobs = createOwnedJobs({
      files,
      thisProcess,
      workerOf: (kind) => workers.get(kind),
      now,
      onProblem,
      isSubmitting,
      recheckLater: () => recheckLater(thisProcess),
    });
    // Owned and watched before anything is read: what is submitted meanwhile is seen by one of the three.
    const watcher = watchFolder(jobs);
    ownership = { jobs, lock, watcher, loaded: load(jobs) };
    try {
      await settle(ownership);
    } catch (error) {
      letGo();
      throw error;
    }
  }

  async function load(jobs: OwnedJobs): Promise<void> {
    const ids = await files.listOpen();
    for (let start = 0; start < ids.length; start += 50) await Promise.all(ids.slice(start, start + 50).map(jobs.addFromFiles));
  }

  /** Workers begin when all jobs are in their places, or a lane could be overtaken by what happened to be read first. */
  async function settle({ jobs, loaded }: Ownership): Promise<void> {
    await loaded;
    await jobs.settleAll();
    for (const worker of workers.values()) worker.begin();
  }

  /** Other processes submit and cancel by making files. Without a watch only what they do before a start is seen. */
  function watchFolder(jobs: OwnedJobs): FSWatcher | null {
    try {
      const watcher = watch(layout.open, (_event, name) => {
        if (name !== null) noticeFile(jobs, name).catch(onProblem);
      });
      return watcher.on("error", onProblem);
    } catch (error) {
      onProblem(error);
      return null;
    }
  }

  /** One after the other: of two that are read at once, the later one could come first. */
  let adding = Promise.resolve();

  async function noticeFile(jobs: OwnedJobs, name: string): Promise<void> {
    const id = idIn(name);
    if (id === undefined) return;
    const open = jobs.find(id);
    if (open === undefined) {
      if (name.endsWith(".job.json")) adding = adding.then(() => jobs.addFromFiles(id)).catch(onProblem);
      return;
    }
    // A file that is being removed is noticed too, and means nothing.
    if (!(await files.has(name))) return;
    if (name.endsWith(".cancel.json") && !open.cancelRequested) return jobs.cancel(open);
    const attempt = Number(/\.lease-(\d+)\.json$/.exec(name)?.[1] ?? 0);
    workers.get(open.job.kind)?.abandon(open, attempt);
  }

  function letGo(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    ownership?.watcher?.close();
    ownership?.lock.release();
    ownership = null;
  }

  const onEnded = (open: OpenJob) => {
    ownership?.jobs.forget(open);
  };

  /** It is looked at anew: the other runner may end without ending the job. */
  const onLost = (open: OpenJob) => {
    ownership?.jobs.forget(open);
    ownership?.jobs.addFromFiles(open.job.id).catch(onProblem);
  };

  return {
    /** Null where this process does not own the folder. */
    owned: (): OwnedJobs | null => ownership?.jobs ?? null,

    async work(kind: string, limits: WorkLimits, handler: JobHandler): Promise<JobWorker> {
      if (workers.has(kind)) throw new HallError("conflict", `Jobs of kind "${kind}" already have a worker in this process.`);
      const thisProcess = await identifyThisProcess();
      const worker = createKindWorker({ files, runner: thisProcess, now, onProblem, retryMs: recheckMs, onEnded, onLost }, limits, handler);
      workers.set(kind, worker);
      let stopped: Promise<{ interrupted: number }> | undefined;
      const stop = async () => {
        const result = await worker.stop();
        workers.delete(kind);
        ownership?.jobs.setAside(kind);
        if (workers.size === 0) letGo();
        return result;
      };
      try {
        await (ownership === null ? own(thisProcess) : settle(ownership));
      } catch (error) {
        await stop();
        throw error;
      }
      return { stop: () => (stopped ??= stop()) };
    },
  };
}
