import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextDue, takeableJobs } from "./takeable-jobs.ts";
import type { QueuedJob, Room } from "./takeable-jobs.ts";

const anyQueue = fc.array(
  fc.record({
    kind: fc.constantFrom("k", "l"),
    lane: fc.constantFrom("a", "b", null),
    groups: fc.subarray(["g", "h"]),
    priority: fc.integer({ min: 0, max: 2 }),
    labels: fc.subarray(["x"]),
    notBefore: fc.constantFrom(null, at(5), at(15)),
  }),
  { maxLength: 30 },
);
const anyCap = fc.integer({ min: 1, max: 4 });
const anyRoom = fc.record({ k: anyCap, g: anyCap, h: anyCap }).map(({ k, g, h }): Omit<Room, "now"> => ({
  consumers: new Map([
    ["k", { capacity: k, labels: new Set() }],
    ["l", { capacity: null, labels: new Set(["x"]) }],
  ]),
  perGroup: new Map([
    ["g", g],
    ["h", h],
  ]),
}));

describe("the jobs that may be taken", () => {
  it("keep to capacities, caps, labels, times and the order of each lane, and none waits without a reason, however jobs end", () => {
    fc.assert(
      fc.property(anyQueue, anyRoom, fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (jobs, room, choices) => {
        const open = jobs.map((job): QueuedJob => ({ job, phase: "waiting" }));
        const started: QueuedJob["job"][] = [];
        const mayEverRun = (job: QueuedJob["job"]) => job.kind === "l" || job.labels.length === 0;
        for (let now = 0; now < 20 + jobs.length; now += 1) {
          for (const next of takeableJobs(open, { ...room, now })) {
            expect(next.phase).toBe("waiting");
            expect(mayEverRun(next.job)).toBe(true);
            expect(Date.parse(next.job.notBefore ?? at(0))).toBeLessThanOrEqual(now);
            next.phase = "running";
            started.push(next.job);
          }
          const running = open.filter(({ phase }) => phase === "running");
          const inGroup = (group: string) => running.filter(({ job }) => job.groups.includes(group)).length;
          expect(inGroup("g")).toBeLessThanOrEqual(room.perGroup.get("g") ?? 0);
          expect(inGroup("h")).toBeLessThanOrEqual(room.perGroup.get("h") ?? 0);
          expect(running.filter(({ job }) => job.kind === "k").length).toBeLessThanOrEqual(room.consumers.get("k")?.capacity ?? 0);
          const lanes = running.flatMap(({ job }) => (job.lane === null ? [] : `${job.kind}${job.lane}`));
          expect(new Set(lanes).size).toBe(lanes.length);
          expect(takeableJobs(open, { ...room, now })).toEqual([]);
          // Any running job may end first.
          const ends = running[(choices[now % choices.length] ?? 0) % Math.max(1, running.length)];
          if (ends !== undefined) open.splice(open.indexOf(ends), 1);
        }
        for (const [kind, lane] of ["k", "l"].flatMap((kind) => ["a", "b"].map((lane) => [kind, lane]))) {
          const inLane = (job: QueuedJob["job"]) => job.kind === kind && job.lane === lane;
          const allowed = jobs.filter(inLane);
          const stuckAt = allowed.findIndex((job) => !mayEverRun(job));
          expect(started.filter(inLane)).toEqual(stuckAt === -1 ? allowed : allowed.slice(0, stuckAt));
        }
        const loose = jobs.filter((job) => job.lane === null && mayEverRun(job));
        expect(started.filter(({ lane }) => lane === null)).toHaveLength(loose.length);
      }),
    );
  });

  it("are the most urgent first, and the oldest of equals", () => {
    const queue = [waiting("a", { priority: 1 }), waiting("b", { priority: 2 }), waiting("c", { priority: 2 }), waiting("d", {})];

    expect(takeableJobs(queue, roomFor(3)).map(({ job }) => job.lane)).toEqual(["b", "c", "a"]);
  });

  it("are none behind one that is being settled, and one behind a job whose end could not be written", () => {
    const second = waiting("a", {});

    expect(takeableJobs([{ ...waiting("a", {}), phase: "settling" }, second], roomFor(1))).toEqual([]);
    expect(takeableJobs([{ ...waiting("a", {}), phase: "unwritten" }, second], roomFor(1))).toEqual([second]);
  });

  it("are not kept back by the cap of a group that only has the name of something every object has", () => {
    expect(takeableJobs([waiting("a", { groups: ["constructor"] })], roomFor(1))).toHaveLength(1);
  });
});

describe("the next time to look", () => {
  it("is when the first waiting job is due that has a consumer", () => {
    const later = waiting("a", { notBefore: at(30) });
    const sooner = waiting("b", { notBefore: at(20) });
    const over = waiting("c", { notBefore: at(5) });
    const other = { ...waiting("d", { notBefore: at(15) }), job: { ...waiting("d", { notBefore: at(15) }).job, kind: "other" } };

    expect(nextDue([later, sooner, over, other], roomFor(1))).toBe(20);
    expect(nextDue([{ ...sooner, phase: "running" }, over], roomFor(1))).toBeNull();
  });
});

function at(ms: number): string {
  return new Date(ms).toISOString();
}

const waiting = (lane: string, more: Partial<QueuedJob["job"]>): QueuedJob => ({
  job: { kind: "k", lane, groups: [], priority: 0, labels: [], notBefore: null, ...more },
  phase: "waiting",
});

const roomFor = (capacity: number): Room => ({
  consumers: new Map([["k", { capacity, labels: new Set<string>() }]]),
  perGroup: new Map(),
  now: 10,
});
