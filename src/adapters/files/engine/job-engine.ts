import type { EngineJob, JobEngine, JobHandler, JobWorker, NewJob, WorkLimits } from "../../../core/job/job-engine.ts";
import { HallError } from "../../../schema/hall-error.ts";
import { EngineJobId } from "../../../schema/ids.ts";
import type { Disk } from "../disk.ts";
import { takeKernelLock } from "../kernel-lock.ts";
import { createEngineLayout } from "../layout.ts";
import { identifyThisProcess, isAlive } from "../process-identity.ts";
import { createJobFiles } from "./job-files.ts";
import { endOf, recordOf, recordOfEnd } from "./open-job.ts";
import { hasOtherRunner } from "./other-runner.ts";
import { createWorkplace } from "./workplace.ts";

export type FileJobEngineOptions = {
  folder: string;
  /** Told about what could not be read or written while nobody was waiting for it. */
  onProblem?: (error: unknown) => void;
  /** How often to look whether a process that is in the way has ended, and whether a full disk has room again. */
  recheckMs?: number;
  disk?: Disk;
};

/** The job engine on plain files. Everything accepted is a file first; memory holds only what has not ended. */
export function createFileJobEngine(options: FileJobEngineOptions): JobEngine {
  const { folder, onProblem = () => undefined, recheckMs = 1000 } = options;
  const layout = createEngineLayout(folder);
  const files = createJobFiles(layout, onProblem, options.disk);
  const now = () => new Date().toISOString();
  const nextOrder = createOrder();
  /** Two submissions of one id at the same time are one, and what is not yet durable is not begun. */
  const submitting = new Map<EngineJobId, Promise<EngineJob>>();
  const isSubmitting = (id: EngineJobId) => submitting.has(id);
  const workplace = createWorkplace({ layout, files, now, onProblem, recheckMs, isSubmitting });

  async function submitNew(id: EngineJobId, { kind, lane, payload }: NewJob): Promise<EngineJob> {
    await files.prepare();
    const known = await read(id);
    if (known !== null) return known;
    const job = { id, kind, lane, payload: payload ?? null, order: nextOrder(workplace.owned()?.highestOrder() ?? 0), submittedAt: now() };
    if (!(await files.createJob(job))) return (await read(id)) ?? submitNew(id, { id, kind, lane, payload });
    workplace.owned()?.addNew(job);
    return recordOf({ job, attempt: 0, lease: null }, false);
  }

  async function read(id: EngineJobId): Promise<EngineJob | null> {
    const open = workplace.owned()?.find(id);
    // One that was found and not yet judged may be another runner's: its lease says so.
    if (open !== undefined && open.phase !== "found") return recordOf(open, open.phase !== "waiting");
    const found = await files.readOpen(id);
    if (found !== null) return recordOf(found, found.lease !== null && !found.lease.released && (await isAlive(found.lease.runner)));
    const end = await files.readEnd(id);
    return end === null ? null : recordOfEnd(end);
  }

  /** Nobody here works on it. Where somebody else does, that one sees the wish; where nobody does, it is fulfilled at once. */
  async function cancelFromOutside(id: EngineJobId): Promise<void> {
    if ((await files.readOpen(id)) === null) return;
    await files.requestCancel(id, now());
    const lock = takeKernelLock(layout.lock);
    if (lock === null) return;
    try {
      const found = await files.readOpen(id);
      if (found === null || (await hasOtherRunner(found.lease, await identifyThisProcess()))) return;
      await files.end(endOf(found, { state: "cancelled", failure: null }, now()));
    } finally {
      lock.release();
    }
  }

  return {
    submit(job) {
      const id = checkId(job.id);
      const underWay = submitting.get(id);
      if (underWay !== undefined) return underWay;
      const submitted = submitNew(id, job).finally(() => {
        submitting.delete(id);
        // Where another process was faster, the file was passed over meanwhile.
        workplace.owned()?.addFromFiles(id).catch(onProblem);
      });
      submitting.set(id, submitted);
      return submitted;
    },

    async cancel(given) {
      const id = checkId(given);
      // One that is refused is not there to be cancelled; whoever submitted it is told so.
      await submitting.get(id)?.catch(() => undefined);
      const owned = workplace.owned();
      const open = owned?.find(id);
      await (owned === null || open === undefined ? cancelFromOutside(id) : owned.cancel(open));
      return read(id);
    },

    get: (id) => read(checkId(id)),

    async listOpen(kind) {
      await files.prepare();
      // A file that somebody broke is reported and left as it is; it keeps nothing else from working.
      const unlessBroken = (id: EngineJobId) =>
        read(id).catch((error: unknown) => {
          onProblem(error);
          return null;
        });
      const records = await Promise.all((await files.listOpen()).map(unlessBroken));
      return records.filter((record): record is EngineJob => record?.kind === kind && record.endedAt === null);
    },

    async work(kind: string, limits: WorkLimits, handler: JobHandler): Promise<JobWorker> {
      await files.prepare();
      return workplace.work(kind, limits, handler);
    },

    async remove(given) {
      const id = checkId(given);
      const record = await read(id);
      if (record === null) return;
      if (record.endedAt === null) throw new HallError("conflict", `Job ${id} has not ended. Cancel it first.`);
      await files.removeEnd(id);
    },
  };
}

function checkId(id: string): EngineJobId {
  const checked = EngineJobId.safeParse(id);
  if (checked.success) return checked.data;
  throw new HallError("invalid_id", `"${id}" is no id of a job: it ${checked.error.issues[0]?.message ?? "is malformed"}.`);
}

/**
 * Microseconds since 1970, but always more than the last: jobs sort as they came, even if the clock is set back.
 * Milliseconds would be too coarse: a submission takes less than one, and the next may come from another process.
 */
function createOrder(): (highestKnown: number) => number {
  let last = 0;
  return (highestKnown) => (last = Math.max(last + 1, highestKnown + 1, Math.round((performance.timeOrigin + performance.now()) * 1000)));
}
