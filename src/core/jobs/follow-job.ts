import type { JobId } from "../../schema/job.ts";
import type { JobStreamEvent } from "../../schema/job-stream.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";

/** Short enough to read along, and long enough for the worker to do something else. */
const restMs = 500;

type Following = {
  handle: () => WorkerHandle;
  jobId: JobId;
  after: number;
  /** Resolves after so long, or when the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Aborted when nobody reads any more. `return()` would wait for the next event, which may never come. */
  signal: AbortSignal;
};

/** What happened in a job after that event, and what happens, until it has ended. */
export async function* followJob({
  handle,
  jobId,
  after,
  pause,
  signal,
}: Following): AsyncGenerator<JobStreamEvent & { id?: string }, void> {
  let last = after;
  while (!signal.aborted) {
    // The status comes first: what is told after it was there at the end already.
    const { status } = await handle().status(jobId, signal);
    for (let hasMore = true; hasMore;) {
      const page = await handle().events(jobId, last, signal);
      for (const data of page.events) yield { id: String(data.id), event: "entry", data };
      const next = Math.max(last, ...page.events.map(({ id }) => id));
      hasMore = page.hasMore && next > last;
      last = next;
    }
    if (status !== "running") {
      yield { event: "done", data: { status } };
      return;
    }
    await pause(restMs, signal);
  }
}
