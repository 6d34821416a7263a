import { z } from "zod";
import { createTurns } from "../../core/in-turn.ts";
import { emptyRecord } from "../../core/jobs/job-records.ts";
import type { JobRecord, JobRecords } from "../../core/jobs/job-records.ts";
import type { MemberName } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import { disk } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { defineDocument } from "./document.ts";
import { makeFolder, removeFileDurably } from "./durable-write.ts";
import type { Layout } from "./layout.ts";
import { namesIn } from "./names-in.ts";

export const jobRecordDocument = defineDocument(
  z.object({
    hidden: z.boolean(),
    answers: z.array(
      z.object({ question: z.string(), answer: z.string(), at: z.iso.datetime(), times: z.int().positive(), followUp: JobId.nullable() }),
    ),
    dismissed: z.array(z.object({ question: z.string(), at: z.iso.datetime(), times: z.int().positive() })).default([]),
  }),
);

export type JobRecordsDeps = { layout: Layout; onProblem: (error: unknown) => void; disk?: Disk };

const suffix = ".json";
const readAtOnce = 16;

/** A file per job that a person said something about. They are read once, when a worker's jobs are first asked for, and kept. */
export function createJobRecords({ layout, onProblem, disk: on = disk }: JobRecordsDeps): JobRecords {
  const inTurn = createTurns<MemberName>();
  const loaded = new Map<MemberName, Promise<Map<string, JobRecord>>>();

  function all(worker: MemberName): Promise<Map<string, JobRecord>> {
    const known = loaded.get(worker) ?? load(worker);
    loaded.set(worker, known);
    // A folder that cannot be read now may be readable later.
    known.catch(() => loaded.delete(worker));
    return known;
  }

  async function load(worker: MemberName): Promise<Map<string, JobRecord>> {
    const ids = await recordedJobs(layout.jobRecords(worker));
    const records = new Map<string, JobRecord>();
    for (let from = 0; from < ids.length; from += readAtOnce)
      await Promise.all(
        ids.slice(from, from + readAtOnce).map(async (id) => {
          const record = await jobRecordDocument.read(layout.jobRecord(worker, id)).catch((error: unknown) => {
            onProblem(error);
            return null;
          });
          if (record !== null) records.set(id, record);
        }),
      );
    return records;
  }

  return {
    all,

    change: (worker, jobId, change) =>
      inTurn(worker, async () => {
        const records = await all(worker);
        const path = layout.jobRecord(worker, jobId);
        // From the disk: one that somebody broke must not be written over.
        const next = change((await jobRecordDocument.read(path)) ?? emptyRecord);
        await makeFolder(layout.jobRecords(worker), on);
        await jobRecordDocument.write(path, { hidden: next.hidden, answers: [...next.answers], dismissed: [...next.dismissed] }, on);
        records.set(jobId, next);
      }),

    forget: (worker, jobId) =>
      inTurn(worker, async () => {
        (await all(worker)).delete(jobId);
        await removeFileDurably(layout.jobRecord(worker, jobId), on);
      }),
  };
}

async function recordedJobs(folder: string): Promise<JobId[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(suffix));
  return names.flatMap((name) => JobId.safeParse(name.slice(0, -suffix.length)).data ?? []);
}
