import type { HallClient } from "../../client/hall-client.ts";
import { pause } from "../../client/read-query.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobDetail, JobEvent } from "../../schema/job.ts";
import { askPatiently, left } from "../session/ask-patiently.ts";
import type { JobName } from "./find-job.ts";

export type Following = JobName & {
  client: { jobs: Pick<HallClient["jobs"], "get" | "events"> };
  signal: AbortSignal;
  onEvent: (event: JobEvent) => void;
  /** For a worker that does not tell what happens in its jobs: its summary, when it is another. */
  onSummary: (summary: string) => void;
  pauseMs?: number;
  awayMs?: number;
};

/** How often a worker may be away in a row, a second apart: it has 20 s for a handshake, and may have crashed just now. */
const workerPatience = 30;

/** Tells all that happens in a job, from its beginning, and resolves when it is over. The hall and the worker may be restarted meanwhile. */
export async function followJob(following: Following): Promise<JobDetail> {
  const { client, worker, jobId, signal, onSummary, pauseMs = 500, awayMs = 1000 } = following;
  const ask = <Answer>(question: () => Promise<Answer>) => askPatiently(signal, () => whileWorkerIsAway(question, signal, awayMs));
  const tellNew = createTeller(following, ask);
  let summary: string | null = null;
  for (;;) {
    // Before its events: what is told of a job that is over is then complete.
    const job = await ask(() => client.jobs.get(worker, jobId));
    if (job.offers.events) await tellNew();
    else if (job.summary !== null && job.summary !== summary) onSummary(job.summary);
    ({ summary } = job);
    if (job.status !== "running") return job;
    await pause(pauseMs, signal);
    if (signal.aborted) throw left();
  }
}

function createTeller({ client, worker, jobId, onEvent }: Following, ask: <Answer>(question: () => Promise<Answer>) => Promise<Answer>) {
  let after = 0;
  return async (): Promise<void> => {
    for (let hasMore = true; hasMore;) {
      const page = await ask(() => client.jobs.events(worker, jobId, { after }));
      for (const event of page.events) onEvent(event);
      after = page.events.at(-1)?.id ?? after;
      // A page without anything new would be asked for again and again.
      hasMore = page.hasMore && page.events.length > 0;
    }
  };
}

async function whileWorkerIsAway<Answer>(question: () => Promise<Answer>, signal: AbortSignal, awayMs: number): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await question();
    } catch (error) {
      const isAway = error instanceof HallError && error.code === "member_unavailable";
      if (signal.aborted || !isAway || failures >= workerPatience) throw error;
    }
    await pause(awayMs, signal);
  }
}
