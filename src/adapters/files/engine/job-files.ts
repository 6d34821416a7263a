import { access, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineJobId } from "../../../schema/ids.ts";
import type { Disk } from "../disk.ts";
import { makeFolder, sweepTemporaries } from "../durable-write.ts";
import { fileFailure, systemCode } from "../file-failure.ts";
import type { EngineLayout } from "../layout.ts";
import { cancelDocument, endDocument, jobDocument, leaseDocument } from "./job-documents.ts";
import type { EndDocument, JobDocument, LeaseDocument } from "./job-documents.ts";

export type JobFiles = ReturnType<typeof createJobFiles>;

/** What the files say about a job that has not ended. `lease` is the last one; it is null where none is, or it cannot be read. */
export type OpenFiles = { job: JobDocument; attempt: number; lease: LeaseDocument | null; cancelRequested: boolean };

/**
 * A job is its own file, one more for each time it was taken and one for the wish to cancel it; its end replaces them all.
 * Each is made at most once, whole, whoever tries: that is what makes taking a job exclusive.
 */
export function createJobFiles(layout: EngineLayout, onProblem: (error: unknown) => void, disk?: Disk) {
  let isPrepared = false;

  const files = {
    async prepare(): Promise<void> {
      if (isPrepared) return;
      await makeFolder(layout.open);
      await makeFolder(layout.ended);
      isPrepared = true;
    },

    createJob: (job: JobDocument): Promise<boolean> => jobDocument.create(layout.job(job.id), job, disk),

    /** False where somebody else took this attempt. */
    createLease: (id: EngineJobId, lease: LeaseDocument): Promise<boolean> =>
      leaseDocument.create(layout.lease(id, lease.attempt), lease, disk),

    /** The holder gives the lease back: the job waits, and the attempt stays counted. */
    releaseLease: (id: EngineJobId, lease: LeaseDocument): Promise<void> =>
      leaseDocument.write(layout.lease(id, lease.attempt), { ...lease, released: true }, disk),

    /** As if the job had not been taken; only for a lease under which nothing was run. */
    withdrawLease: (id: EngineJobId, attempt: number): Promise<void> => rm(layout.lease(id, attempt), { force: true }),

    requestCancel: (id: EngineJobId, requestedAt: string): Promise<boolean> =>
      cancelDocument.create(layout.cancel(id), { requestedAt }, disk),

    /** False where the job had ended before; then that end stays. */
    async end(end: EndDocument): Promise<boolean> {
      const made = await endDocument.create(layout.end(end.id), end, disk);
      await files.removeOpen(end.id, end.attempt);
      return made;
    },

    readEnd: (id: EngineJobId): Promise<EndDocument | null> => endDocument.read(layout.end(id)),

    /** Null for a job that ended or never was. */
    async readOpen(id: EngineJobId): Promise<OpenFiles | null> {
      const job = await jobDocument.read(layout.job(id));
      if (job === null) return null;
      let attempt = 0;
      while (await exists(layout.lease(id, attempt + 1))) attempt += 1;
      const lease = attempt === 0 ? null : await leaseDocument.read(layout.lease(id, attempt)).catch(reportAsNull);
      const cancelRequested = await exists(layout.cancel(id));
      // Last: one that ends meanwhile has lost some of these files and kept others.
      return (await exists(layout.end(id))) ? null : { job, attempt, lease, cancelRequested };
    },

    /** Whether nobody took the job after this attempt, or ended it. */
    async isHeld(id: EngineJobId, attempt: number): Promise<boolean> {
      const [own, later, end] = await Promise.all([layout.lease(id, attempt), layout.lease(id, attempt + 1), layout.end(id)].map(exists));
      return own === true && later === false && end === false;
    },

    /** By its name in the folder of open jobs. */
    has: (name: string): Promise<boolean> => exists(join(layout.open, name)),

    /** The ids of all jobs that have not ended. What ended in the middle of a crash is cleared away. */
    async listOpen(): Promise<EngineJobId[]> {
      for (const folder of [layout.open, layout.ended]) await sweepTemporaries(folder);
      const names = await namesIn(layout.open);
      const ids = new Set(names.flatMap((name) => idIn(name) ?? []));
      const open = await Promise.all([...ids].map(async (id) => ((await isOver(id)) ? null : id)));
      return open.filter((id) => id !== null);
    },

    async removeOpen(id: EngineJobId, attempt: number): Promise<void> {
      const leases = Array.from({ length: attempt }, (_, index) => layout.lease(id, index + 1));
      await Promise.all([...leases, layout.cancel(id)].map((path) => rm(path, { force: true })));
      // Last, so that a crash in between leaves a job that is seen to have ended, and no files without one.
      await rm(layout.job(id), { force: true });
    },

    removeEnd: (id: EngineJobId): Promise<void> => rm(layout.end(id), { force: true }),
  };

  /** Ended, or only a wish to cancel what had ended by then. */
  async function isOver(id: EngineJobId): Promise<boolean> {
    const [job, end] = await Promise.all([exists(layout.job(id)), exists(layout.end(id))]);
    if (job && !end) return false;
    let attempt = 0;
    while (await exists(layout.lease(id, attempt + 1))) attempt += 1;
    await files.removeOpen(id, attempt);
    return true;
  }

  function reportAsNull(error: unknown): null {
    onProblem(error);
    return null;
  }

  return files;
}

/** The job a file name of the folder belongs to; undefined for what is not ours. */
export function idIn(name: string): EngineJobId | undefined {
  const stem = /^(.+)\.(?:job|cancel|lease-\d+)\.json$/.exec(name)?.[1];
  return EngineJobId.safeParse(stem).data;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw fileFailure(error, path);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw fileFailure(error, folder);
  }
}
