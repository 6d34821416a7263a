import type { MemberName } from "../../schema/ids.ts";
import type { JobId, JobStatus } from "../../schema/job.ts";
import type { WorkerHandle } from "./worker-handle.ts";

/** The port to all guild members that take jobs. */
export interface Workers {
  /** Connected or not; `missing` says why one cannot be asked. By name. */
  list(): { name: MemberName; missing: string | null }[];
  /** Throws `not_found` where nobody has that name, and `conflict` where that member takes no jobs: nothing is sent to it. */
  get(name: string): WorkerHandle;
  /** A worker has come, has gone, or is another than before. */
  onComingAndGoing(listen: (name: string) => void): void;
  /** The hall itself had a job begun, cancelled or deleted, for a person or for an agent. */
  onJob(listen: (change: JobChange) => void): void;
}

/** The status is null where the job was deleted. */
export type JobChange = { worker: MemberName; jobId: JobId; status: JobStatus | null };
