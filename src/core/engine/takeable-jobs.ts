import type { EngineJob } from "./job-engine.ts";

/**
 * Where an open job stands in the process that has it. `taking`: its lease is being written. `ending`: its handler returned
 * and its end is being written. `settling`: it ends without its handler. `unwritten`: its end could not be written.
 */
export type JobPhase = "waiting" | "admitting" | "taking" | "running" | "ending" | "settling" | "unwritten";

export type QueuedJob = {
  job: Pick<EngineJob, "kind" | "lane" | "groups" | "priority" | "labels" | "notBefore">;
  phase: JobPhase;
};

export type Room = {
  /** By kind. A capacity of null is no limit. */
  consumers: ReadonlyMap<string, { capacity: number | null; labels: ReadonlySet<string> }>;
  perGroup: ReadonlyMap<string, number>;
  now: number;
};

/**
 * The jobs that may be taken together now, the most urgent first. `queue` has all open jobs in the order of submission. Only
 * the first of a lane is ever taken, so whatever holds that one back holds back its lane.
 */
export function takeableJobs<Queued extends QueuedJob>(queue: Iterable<Queued>, room: Room): Queued[] {
  const counts = createCounts(room);
  const heads: Queued[] = [];
  for (const each of headsOf(queue, counts.add)) if (each.phase === "waiting" && mayRun(each, room)) heads.push(each);
  return heads
    .toSorted((a, b) => b.job.priority - a.job.priority)
    .filter(({ job }) => {
      if (!counts.haveRoomFor(job)) return false;
      counts.add(job);
      return true;
    });
}

/** When the first of the jobs that wait for their time is due, or null. */
export function nextDue(queue: Iterable<QueuedJob>, { consumers, now }: Room): number | null {
  let next: number | null = null;
  for (const { job, phase } of queue) {
    if (phase !== "waiting" || job.notBefore === null || !consumers.has(job.kind)) continue;
    const due = Date.parse(job.notBefore);
    if (due > now && (next === null || due < next)) next = due;
  }
  return next;
}

function* headsOf<Queued extends QueuedJob>(queue: Iterable<Queued>, onTaken: (job: Queued["job"]) => void): Iterable<Queued> {
  const lanesOf = new Map<string, Set<string>>();
  for (const each of queue) {
    const { kind, lane } = each.job;
    if (isTaken[each.phase]) onTaken(each.job);
    if (lane !== null && each.phase !== "unwritten") {
      const lanes = lanesOf.get(kind) ?? new Set();
      if (lanes.has(lane)) continue;
      lanesOf.set(kind, lanes.add(lane));
    }
    yield each;
  }
}

const isTaken: Record<JobPhase, boolean> = {
  waiting: false,
  admitting: true,
  taking: true,
  running: true,
  ending: true,
  settling: false,
  unwritten: false,
};

function mayRun({ job }: QueuedJob, { consumers, now }: Room): boolean {
  const consumer = consumers.get(job.kind);
  if (consumer === undefined || !job.labels.every((label) => consumer.labels.has(label))) return false;
  return job.notBefore === null || Date.parse(job.notBefore) <= now;
}

function createCounts({ consumers, perGroup }: Room) {
  const ofKind = new Map<string, number>();
  const ofGroup = new Map<string, number>();
  return {
    add({ kind, groups }: QueuedJob["job"]): void {
      ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
      for (const group of groups) ofGroup.set(group, (ofGroup.get(group) ?? 0) + 1);
    },
    haveRoomFor({ kind, groups }: QueuedJob["job"]): boolean {
      if ((ofKind.get(kind) ?? 0) >= (consumers.get(kind)?.capacity ?? Infinity)) return false;
      return groups.every((group) => (ofGroup.get(group) ?? 0) < (perGroup.get(group) ?? Infinity));
    },
  };
}
