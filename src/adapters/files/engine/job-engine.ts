import type { EngineJob, JobEngine, NewJob } from "../../../core/engine/job-engine.ts";
import { HallError } from "../../../schema/hall-error.ts";
import { EngineJobId } from "../../../schema/ids.ts";
import type { Disk } from "../disk.ts";
import { createEngineLayout } from "../layout.ts";
import { adoptJob, adoptJobs } from "./adopt-jobs.ts";
import type { JobDocument } from "./job-documents.ts";
import { createJobFiles } from "./job-files.ts";
import type { Found } from "./job-files.ts";
import { createJobQueue } from "./job-queue.ts";
import { moveEarlierJobs } from "./move-earlier-jobs.ts";
import { openJob, recordOf, recordOfEnd } from "./open-job.ts";

export type FileJobEngineOptions = {
  folder: string;
  /** Where earlier halls kept their records. `start` moves them. */
  earlierFolder?: string;
  /** Receives what could not be read or written while no caller was waiting for it. */
  onProblem?: (error: unknown) => void;
  /** How long to wait before something that failed is tried again. */
  retryMs?: number;
  disk?: Disk;
};

/** The job engine on plain files, for one process: who opens the folder holds its home. Memory has all that has not ended. */
export function createFileJobEngine(options: FileJobEngineOptions): JobEngine {
  const { folder, earlierFolder, onProblem = () => undefined, retryMs = 1000, disk } = options;
  const layout = createEngineLayout(folder);
  const files = createJobFiles(layout, onProblem, disk);
  const now = () => new Date().toISOString();
  const queue = createJobQueue({ files, now, onProblem, retryMs });
  const unreadable = new Map<EngineJobId, Found>();
  /** Several submissions of one id at the same time are one. */
  const submitting = new Map<EngineJobId, Promise<EngineJob>>();
  let lastOrder = 0;

  /** Microseconds since 1970, but always more than the last: jobs sort as they came, even if the clock is set back. */
  function nextOrder(): number {
    lastOrder = Math.max(lastOrder + 1, Math.round((performance.timeOrigin + performance.now()) * 1000));
    return lastOrder;
  }

  async function submitNew(id: EngineJobId, given: NewJob): Promise<EngineJob> {
    const known = await read(id);
    if (known !== null) return known;
    const job = documentOf(id, given, nextOrder(), now());
    if (!(await files.createJob(job))) throw new HallError("conflict", `${layout.job(id)} is in the way of a new job.`);
    const open = openJob({ job, attempt: 0, startedAt: null, cancelRequested: false });
    const record = recordOf(open);
    queue.add(open);
    return record;
  }

  async function read(id: EngineJobId): Promise<EngineJob | null> {
    const open = queue.find(id) ?? (await readAgain(id));
    if (open !== null) return recordOf(open);
    const end = await files.readEnd(id);
    return end === null ? null : recordOfEnd(end);
  }

  /** A record that could not be read may have been repaired or moved away. */
  async function readAgain(id: EngineJobId) {
    const found = unreadable.get(id);
    if (found === undefined) return null;
    const open = await adoptJob(files, found, onProblem);
    if (unreadable.delete(id) && open !== null) queue.add(open);
    return queue.find(id);
  }

  return {
    async start() {
      await files.prepare();
      if (earlierFolder !== undefined) await moveEarlierJobs(earlierFolder, layout, onProblem, disk);
      const adopted = await adoptJobs(files, onProblem);
      for (const found of adopted.unreadable) unreadable.set(found.id, found);
      for (const open of adopted.jobs) queue.add(open);
      lastOrder = adopted.jobs.at(-1)?.job.order ?? 0;
    },

    close: queue.close,

    submit(job) {
      const id = checkId(job.id);
      const underWay = submitting.get(id);
      if (underWay !== undefined) return underWay;
      const submitted = submitNew(id, job).finally(() => submitting.delete(id));
      submitting.set(id, submitted);
      return submitted;
    },

    async cancel(given) {
      const id = checkId(given);
      // If the submission is refused there is nothing to cancel, and its caller learns of it.
      await submitting.get(id)?.catch(() => undefined);
      const open = queue.find(id);
      if (open !== null) await queue.cancel(open);
      return read(id);
    },

    get: (id) => read(checkId(id)),
    listOpen: async (kind) => queue.list(kind).map(recordOf),
    setLimits: async ({ perGroup }) => queue.setLimits(perGroup),
    consume: queue.consume,

    async remove(given) {
      const id = checkId(given);
      const record = await read(id);
      if (record === null) return;
      if (record.endedAt === null) throw new HallError("conflict", `Job ${id} has not ended. Cancel it first.`);
      await files.removeEnd({ id, attempt: record.attempt });
    },
  };
}

function documentOf(id: EngineJobId, { kind, lane, payload, ...more }: NewJob, order: number, submittedAt: string): JobDocument {
  const { groups = [], priority = 0, labels = [], notBefore } = more;
  return {
    id,
    kind,
    lane,
    groups: [...groups],
    priority,
    notBefore: notBefore === undefined ? null : new Date(notBefore).toISOString(),
    labels: [...labels],
    payload: payload ?? null,
    order,
    submittedAt,
  };
}

function checkId(id: string): EngineJobId {
  const checked = EngineJobId.safeParse(id);
  if (checked.success) return checked.data;
  throw new HallError("invalid_id", `"${id}" is no id of a job: it ${checked.error.issues[0]?.message ?? "is malformed"}.`);
}
