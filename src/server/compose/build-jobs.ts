import { createJobRecords } from "../../adapters/files/job-records.ts";
import { createJobs } from "../../core/jobs/jobs.ts";
import type { Jobs } from "../../core/jobs/jobs.ts";
import type { Workers } from "../../core/worker/workers.ts";
import type { Parts } from "./parts.ts";
import { schedule } from "./schedule.ts";

export function buildJobs({ layout, log, closers, hallEvents }: Parts, workers: Workers): Jobs {
  const onProblem = (err: unknown) => log.warn({ err }, "jobs");
  const jobs = createJobs({
    workers,
    records: createJobRecords({ layout, onProblem }),
    publish: hallEvents.publish,
    isHeard: () => hallEvents.listeners() > 0,
    schedule,
    now: Date.now,
    onProblem,
  });
  closers.push(async () => jobs.close());
  return jobs;
}
