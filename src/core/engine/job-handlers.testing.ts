import { onTestFinished } from "vitest";
import type { ConsumeOptions, Consumer, EngineJob, JobEngine, JobHandler, JobSettler, Lease } from "./job-engine.ts";

export const oneAttempt: ConsumeOptions = { capacity: 1, attempts: 1 };

export const job = (id: string) => ({ id, kind: "test", lane: "lane", payload: null });
/** Runs beside all others. */
export const loose = (id: string) => ({ ...job(id), lane: null });

export async function consume(
  engine: JobEngine,
  handler: JobHandler,
  options = oneAttempt,
  settle: JobSettler = async () => undefined,
): Promise<Consumer> {
  const consumer = await engine.consume("test", options, handler, settle);
  onTestFinished(async () => {
    await consumer.stop();
  });
  return consumer;
}

/** A handler that notes what it was given and returns at once. */
export function recorder() {
  const ran: string[] = [];
  const attempts: number[] = [];
  const handler: JobHandler = async ({ job: { id }, attempt }) => {
    ran.push(id);
    attempts.push(attempt);
  };
  return { handler, ran, attempts };
}

/** A settler that notes how its jobs ended. */
export function settlements() {
  const settled: string[] = [];
  const settle: JobSettler = async ({ id, state, attempt }) => void settled.push(`${id} ${state} ${attempt}`);
  return { settle, settled };
}

/** Calls in the order in which they begin. Each returns when the test says so, and gives up when its signal aborts. */
export function createGate() {
  const leases: Lease[] = [];
  const asking: ((lease: Lease) => void)[] = [];
  const doors = new Map<string, () => void>();
  let running = 0;
  return {
    running: () => running,
    open: (id: string) => doors.get(id)?.(),
    /** The next job whose handler was called. */
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
  if (found === null) throw new Error(`There is no job ${id}.`);
  return found;
}

/** Polls, because an engine does not announce an end; the test's own time limit bounds it. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}
