import { settleJob } from "../../../core/job/settle-job.ts";
import type { EngineJobId } from "../../../schema/ids.ts";
import type { ProcessIdentity } from "../process-identity.ts";
import type { JobDocument } from "./job-documents.ts";
import type { JobFiles, OpenFiles } from "./job-files.ts";
import type { KindWorker } from "./kind-worker.ts";
import { endOf } from "./open-job.ts";
import type { OpenJob } from "./open-job.ts";
import { hasOtherRunner } from "./other-runner.ts";

export type OwnedJobs = ReturnType<typeof createOwnedJobs>;

type Deps = {
  files: JobFiles;
  thisProcess: ProcessIdentity;
  workerOf: (kind: string) => KindWorker | undefined;
  now: () => string;
  onProblem: (error: unknown) => void;
  isSubmitting: (id: EngineJobId) => boolean;
  /** A process that lives has a job: look again later. */
  recheckLater: () => void;
};

/** The jobs of a folder that have not ended, in the memory of its owner. Ended ones leave it. */
export function createOwnedJobs({ files, thisProcess, workerOf, now, onProblem, isSubmitting, recheckLater }: Deps) {
  const jobs = new Map<EngineJobId, OpenJob>();
  let highestOrder = 0;

  function add({ job, attempt, lease, cancelRequested }: OpenFiles): OpenJob {
    const open: OpenJob = { job, attempt, lease, cancelRequested, phase: "found" };
    jobs.set(job.id, open);
    highestOrder = Math.max(highestOrder, job.order);
    return open;
  }

  /** Only what nobody works on here is settled; the others have their worker. */
  async function settle(open: OpenJob): Promise<void> {
    const hasRunner = await hasOtherRunner(open.lease, thisProcess);
    const worker = workerOf(open.job.kind);
    if (worker === undefined || (open.phase !== "found" && open.phase !== "elsewhere")) return;
    const settlement = settleJob({ ...open, hasRunner }, worker.attempts);
    if (settlement.next === "wait") return worker.enqueue(open);
    if (settlement.next === "end") return end(open, settlement);
    open.phase = "elsewhere";
    recheckLater();
  }

  async function end(open: OpenJob, how: Parameters<typeof endOf>[1]): Promise<void> {
    const before = open.phase;
    open.phase = "ending";
    const written = files.end(endOf(open, how, now()));
    open.ended = written.catch(() => undefined);
    try {
      await written;
      jobs.delete(open.job.id);
    } catch (error) {
      open.phase = before;
      throw error;
    }
  }

  async function cancelWaiting(open: OpenJob): Promise<void> {
    const worker = workerOf(open.job.kind);
    worker?.dequeue(open);
    try {
      await end(open, { state: "cancelled", failure: null });
    } catch (error) {
      worker?.enqueue(open);
      throw error;
    }
  }

  async function cancel(open: OpenJob): Promise<void> {
    if (open.phase === "running") await workerOf(open.job.kind)?.cancelRunning(open);
    else if (open.phase === "waiting") await cancelWaiting(open);
    else if (open.phase === "ending") await open.ended;
    else if (await hasOtherRunner(open.lease, thisProcess)) await files.requestCancel(open.job.id, now());
    else if (open.phase === "found" || open.phase === "elsewhere") await cancelWaiting(open);
    // It was put into its place meanwhile.
    else await cancel(open);
  }

  const jobsIn = (...phases: OpenJob["phase"][]) => [...jobs.values()].filter(({ phase }) => phases.includes(phase));

  return {
    find: (id: EngineJobId): OpenJob | undefined => jobs.get(id),
    forget: ({ job }: OpenJob): boolean => jobs.delete(job.id),
    highestOrder: (): number => highestOrder,

    /** A job that was submitted here just now. */
    addNew(job: JobDocument): void {
      if (jobs.has(job.id)) return;
      const open = add({ job, attempt: 0, lease: null, cancelRequested: false });
      workerOf(job.kind)?.enqueue(open);
    },

    /**
     * A job that the files may have and the memory has not. A file that somebody broke is reported and left as it is.
     * What this process is submitting is not looked for: that says itself when it is durable.
     */
    async addFromFiles(id: EngineJobId): Promise<void> {
      if (jobs.has(id) || isSubmitting(id)) return;
      const found = await files.readOpen(id).catch((error: unknown) => {
        onProblem(error);
        return null;
      });
      if (found === null || jobs.has(id) || isSubmitting(id)) return;
      await settle(add(found));
    },

    async settleAll(): Promise<void> {
      for (const open of jobsIn("found", "elsewhere")) await settle(open);
    },

    /** The worker of a kind is gone: what waited for it waits for the next one. */
    setAside(kind: string): void {
      for (const open of jobsIn("waiting", "running")) if (open.job.kind === kind) open.phase = "found";
    },

    cancel,
  };
}
