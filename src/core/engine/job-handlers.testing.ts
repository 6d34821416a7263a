import { onTestFinished } from "vitest";
import type { EngineJob, JobEngine, JobHandler, JobWorker, Lease, WorkLimits } from "./job-engine.ts";

export const oneAttempt: WorkLimits = { concurrency: 1, attempts: 1 };

export const job = (id: string) => ({ id, kind: "test", lane: "lane", payload: null });

export async function work(engine: JobEngine, handler: JobHandler, limits = oneAttempt): Promise<JobWorker> {
  const worker = await engine.work("test", limits, handler);
  onTestFinished(async () => {
    await worker.stop();
  });
  return worker;
}

/** A handler that notes what it was given and is done at once. */
export function recorder() {
  const ran: string[] = [];
  const attempts: number[] = [];
  const handler: JobHandler = async ({ job: { id }, attempt }) => {
    ran.push(id);
    attempts.push(attempt);
  };
  return { handler, ran, attempts };
}

/** A handler that is done when the test says so, and gives up when it is told to. */
export function createGate() {
  const leases: Lease[] = [];
  const asking: ((lease: Lease) => void)[] = [];
  const doors = new Map<string, () => void>();
  let running = 0;
  return {
    running: () => running,
    open: (id: string) => doors.get(id)?.(),
    /** The next job that was begun. */
    next: (): Promise<Lease> => {
      const begun = leases.shift();
      return begun === undefined ? new Promise((resolve) => asking.push(resolve)) : Promise.resolve(begun);
    },
    handler: async (lease: Lease): Promise<void> => {
      running += 1;
      const door = Promise.withResolvers<void>();
      doors.set(lease.job.id, door.resolve);
      lease.signal.addEventListener("abort", () => door.reject(lease.signal.reason));
      const asked = asking.shift();
      if (asked === undefined) leases.push(lease);
      else asked(lease);
      try {
        await door.promise;
      } finally {
        running -= 1;
      }
    },
  };
}

export const statesOf = (engine: JobEngine, ids: string[]) => Promise.all(ids.map(async (id) => (await engine.get(id))?.state));

export async function untilEnded(engine: JobEngine, id: string): Promise<EngineJob> {
  let found: EngineJob | null = null;
  await until(async () => {
    found = await engine.get(id);
    return found !== null && found.endedAt !== null;
  });
  if (found === null) throw new Error(`Job ${id} is gone.`);
  return found;
}

/** Looks again and again, because an engine tells nobody about an end; the test's own time limit bounds it. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}
