import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextJob } from "./next-job.ts";

type Waiting = { job: { lane: string }; order: number };

const anyJobs = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 })
  .map((lanes) => lanes.map((lane, order): Waiting => ({ job: { lane }, order })));

describe("the next job", () => {
  it("keeps to the number of places, one job per lane and the order of each lane, however jobs start and end", () => {
    fc.assert(
      fc.property(anyJobs, fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (jobs, places, choices) => {
        const waiting = [...jobs];
        const running: Waiting[] = [];
        const started: Waiting[] = [];
        while (waiting.length + running.length > 0) {
          const next = nextJob(waiting, new Set(running.map(({ job }) => job.lane)), places - running.length);
          const isStuck = next === null && running.length === 0;
          expect(isStuck).toBe(false);
          if (next === null) {
            // Whatever is running may be the one that ends first.
            running.splice((choices[started.length % choices.length] ?? 0) % running.length, 1);
          } else {
            waiting.splice(waiting.indexOf(next), 1);
            running.push(next);
            started.push(next);
          }
          expect(running.length).toBeLessThanOrEqual(places);
          expect(new Set(running.map(({ job }) => job.lane)).size).toBe(running.length);
        }
        for (const lane of ["a", "b", "c", "d"]) {
          expect(started.filter(({ job }) => job.lane === lane)).toEqual(jobs.filter(({ job }) => job.lane === lane));
        }
      }),
    );
  });

  it("takes the oldest of those that may run", () => {
    const waiting = [
      { job: { lane: "a" }, order: 1 },
      { job: { lane: "b" }, order: 2 },
      { job: { lane: "c" }, order: 3 },
    ];

    expect(nextJob(waiting, new Set(["a"]), 1)).toBe(waiting[1]);
    expect(nextJob(waiting, new Set(), 1)).toBe(waiting[0]);
    expect(nextJob(waiting, new Set(), 0)).toBeNull();
  });
});
