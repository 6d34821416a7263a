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
  const lanes = createLanes();
  const heads: Queued[] = [];
  for (const each of queue) {
    const { job, phase } = each;
    if (isTaken[phase]) counts.add(job);
    if (phase === "unwritten" || !lanes.isFirst(job)) continue;
    if (phase === "waiting" && mayRun(job, room)) heads.push(each);
  }
  const chosen: Queued[] = [];
  for (const each of heads.toSorted((a, b) => b.job.priority - a.job.priority)) {
    if (counts.isFull()) break;
    if (!counts.haveRoomFor(each.job)) continue;
    counts.add(each.job);
    chosen.push(each);
  }
  return chosen;
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

/** Jobs without a lane are each the first of their own. */
function createLanes() {
  const known = new Map<string, Set<string>>();
  return {
    isFirst({ kind, lane }: QueuedJob["job"]): boolean {
      if (lane === null) return true;
      const lanes = known.get(kind) ?? new Set();
      if (lanes.size === 0) known.set(kind, lanes);
      return lanes.size < lanes.add(lane).size;
    },
  };
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

function mayRun(job: QueuedJob["job"], { consumers, now }: Room): boolean {
  const consumer = consumers.get(job.kind);
  if (consumer === undefined || !job.labels.every((label) => consumer.labels.has(label))) return false;
  return job.notBefore === null || Date.parse(job.notBefore) <= now;
}

function createCounts({ consumers, perGroup }: Room) {
  const ofKind = new Map<string, number>();
  const ofGroup = new Map<string, number>();
  const hasPlace = (kind: string, capacity: number | null) => (ofKind.get(kind) ?? 0) < (capacity ?? Infinity);
  return {
    isFull: (): boolean => ![...consumers].some(([kind, { capacity }]) => hasPlace(kind, capacity)),
    add({ kind, groups }: QueuedJob["job"]): void {
      ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
      for (const group of groups) ofGroup.set(group, (ofGroup.get(group) ?? 0) + 1);
    },
    haveRoomFor({ kind, groups }: QueuedJob["job"]): boolean {
      if (!hasPlace(kind, consumers.get(kind)?.capacity ?? null)) return false;
      return groups.every((group) => (ofGroup.get(group) ?? 0) < (perGroup.get(group) ?? Infinity));
    },
  };
}
