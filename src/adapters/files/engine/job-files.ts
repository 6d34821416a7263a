import { rm } from "node:fs/promises";
import { EngineJobId } from "../../../schema/ids.ts";
import type { Disk } from "../disk.ts";
import { makeFolder, sweepTemporaries } from "../durable-write.ts";
import type { EngineLayout } from "../layout.ts";
import { namesIn } from "../names-in.ts";
import { cancelDocument, endDocument, jobDocument, leaseDocument } from "./job-documents.ts";
import type { EndDocument, JobDocument, LeaseDocument } from "./job-documents.ts";

export type JobFiles = ReturnType<typeof createJobFiles>;

/** The files of one open job, by their names. */
export type Found = { id: EngineJobId; hasJob: boolean; attempt: number; cancelRequested: boolean };

/** A job is a file, one more for each time it was taken and one for the wish to cancel it; its end replaces them all. */
export function createJobFiles(layout: EngineLayout, onProblem: (error: unknown) => void, disk?: Disk) {
  const files = {
    async prepare(): Promise<void> {
      for (const folder of [layout.open, layout.ended]) {
        await makeFolder(folder);
        await sweepTemporaries(folder);
      }
    },

    createJob: (job: JobDocument): Promise<boolean> => jobDocument.create(layout.job(job.id), job, disk),
    readJob: (id: EngineJobId): Promise<JobDocument | null> => jobDocument.read(layout.job(id)),

    writeLease: (id: EngineJobId, lease: LeaseDocument): Promise<void> => leaseDocument.write(layout.lease(id, lease.attempt), lease, disk),
    readLease: (id: EngineJobId, attempt: number): Promise<LeaseDocument | null> => leaseDocument.read(layout.lease(id, attempt)),

    /** As if the job had not been taken; only for a lease under which no handler was called. */
    withdrawLease: (id: EngineJobId, attempt: number): Promise<void> => rm(layout.lease(id, attempt), { force: true }),

    requestCancel: (id: EngineJobId, requestedAt: string): Promise<boolean> =>
      cancelDocument.create(layout.cancel(id), { requestedAt }, disk),

    /** Resolves when the end is durable. An end that is there already stays. */
    async end(end: EndDocument): Promise<void> {
      await endDocument.create(layout.end(end.id), end, disk);
      await files.removeOpen(end).catch(onProblem);
    },

    readEnd: (id: EngineJobId): Promise<EndDocument | null> => endDocument.read(layout.end(id)),

    async removeEnd(end: Pick<Found, "id" | "attempt">): Promise<void> {
      // Should they still be there, the job would come back without its end.
      await files.removeOpen(end);
      await rm(layout.end(end.id), { force: true });
    },

    /** The jobs that have not ended. Removes leftovers of those that have. */
    async listOpen(): Promise<Found[]> {
      const [open, ended] = await Promise.all([namesIn(layout.open), namesIn(layout.ended)]);
      const endNames = new Set(ended);
      const found = foundIn(open);
      const over = found.filter(({ id, hasJob }) => !hasJob || endNames.has(`${id}.json`));
      for (const each of over) await files.removeOpen(each);
      return found.filter((each) => !over.includes(each));
    },

    async removeOpen({ id, attempt }: Pick<Found, "id" | "attempt">): Promise<void> {
      const leases = Array.from({ length: attempt }, (_, index) => layout.lease(id, index + 1));
      await Promise.all([...leases, layout.cancel(id)].map((path) => rm(path, { force: true })));
      // Last, so that a crash in between leaves a job that is seen to have ended, and no files without one.
      await rm(layout.job(id), { force: true });
    },
  };

  return files;
}

function foundIn(names: readonly string[]): Found[] {
  const found = new Map<EngineJobId, Found>();
  for (const name of names) {
    const [, stem, part, attempt = "0"] = /^(.+)\.(job|cancel|lease-(\d+))\.json$/.exec(name) ?? [];
    const id = EngineJobId.safeParse(stem).data;
    if (id === undefined) continue;
    const each = found.get(id) ?? { id, hasJob: false, attempt: 0, cancelRequested: false };
    found.set(id, {
      id,
      hasJob: each.hasJob || part === "job",
      attempt: Math.max(each.attempt, Number(attempt)),
      cancelRequested: each.cancelRequested || part === "cancel",
    });
  }
  return [...found.values()];
}
