import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import { consume, createGate, job, loose, recorder, statesOf, untilEnded } from "./job-handlers.testing.ts";

/** Which jobs run when: lanes, priority, caps, times and labels. */
export function describeOrder(name: string, createBackend: () => Promise<Backend>): void {
  const open = async () => (await createBackend()).open();

  describe(`${name}: order`, () => {
    it("runs a lane in the order of submission, one at a time, and lanes side by side up to the capacity", async () => {
      const engine = await open();

      await fc.assert(
        fc.asyncProperty(
          fc.uuid(),
          fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 3 }),
          async (kind, lanes, capacity) => {
            const running = new Set<string | null>();
            const started: string[] = [];
            const breaches: string[] = [];
            const handler = async ({ job: { id, lane } }: { job: { id: string; lane: string | null } }) => {
              started.push(id);
              if (running.has(lane)) breaches.push(`lane ${lane} twice`);
              if (running.size >= capacity) breaches.push(`more than ${capacity}`);
              running.add(lane);
              await new Promise(setImmediate);
              running.delete(lane);
            };
            const consumer = await engine.consume(kind, { capacity, attempts: 1 }, handler, async () => undefined);

            const ids = lanes.map((_, index) => `${kind}-${index}`);
            for (const [index, lane] of lanes.entries()) {
              // The order of submission counts in a lane, not the priority.
              await engine.submit({ id: ids[index] ?? "", kind, lane, priority: index, payload: null });
            }
            for (const id of ids) await untilEnded(engine, id);
            await consumer.stop();

            expect(breaches).toEqual([]);
            const byLane = (list: string[]) => ["a", "b", "c"].map((lane) => list.filter((id) => lanes[ids.indexOf(id)] === lane));
            expect(byLane(started)).toEqual(byLane(ids));
          },
        ),
        { numRuns: 8 },
      );
    });

    it("runs what was submitted before there was a consumer, in order, also after a restart", async () => {
      const backend = await createBackend();
      const first = await backend.open();
      for (const id of ["c", "a", "b"]) await first.submit(job(id));
      await first.close();
      const { handler, ran } = recorder();
      const engine = await backend.open();

      await consume(engine, handler);
      for (const id of ["c", "a", "b"]) await untilEnded(engine, id);

      expect(ran).toEqual(["c", "a", "b"]);
    });

    it("runs the urgent one first among those that may run", async () => {
      const engine = await open();
      const { handler, ran } = recorder();
      await engine.submit(loose("plain"));
      await engine.submit({ ...loose("low"), priority: -1 });
      await engine.submit({ ...loose("high"), priority: 5 });
      await engine.submit(loose("later"));

      await consume(engine, handler);
      for (const id of ["plain", "low", "high", "later"]) await untilEnded(engine, id);

      expect(ran).toEqual(["high", "plain", "later", "low"]);
    });

    it("never runs more than the capacity, however many come at once", async () => {
      const engine = await open();
      const gate = createGate();
      await consume(engine, gate.handler);

      await Promise.all(["a", "b", "c", "d"].map((id) => engine.submit(loose(id))));
      await gate.next();

      expect(gate.running()).toBe(1);
      expect((await statesOf(engine, ["a", "b", "c", "d"])).filter((state) => state === "running")).toHaveLength(1);
    });

    it("keeps the caps of groups exactly in 20 bursts, over kinds too, and uses all the room there is", async () => {
      const engine = await open();
      const caps = { all: 3, "project:x": 2, "project:y": 1 };
      await engine.setLimits({ perGroup: caps });
      const running = new Map<string, number>();
      let most = new Map<string, number>();
      const handler = async ({ job: { groups } }: { job: { groups: readonly string[] } }) => {
        const change = (by: number) => {
          for (const group of groups) running.set(group, (running.get(group) ?? 0) + by);
          for (const group of groups) most.set(group, Math.max(most.get(group) ?? 0, running.get(group) ?? 0));
        };
        change(1);
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        change(-1);
      };
      for (const kind of ["test", "other"]) {
        await engine.consume(kind, { capacity: null, attempts: 1 }, handler, async () => undefined);
      }

      const mosts: Record<string, number>[] = [];
      for (let burst = 0; burst < 20; burst += 1) {
        most = new Map();
        const jobs = ["x", "x", "x", "y", "y", "z"].map((project, index) => ({
          ...loose(`job-${burst}-${index}`),
          kind: index % 2 === 0 ? "test" : "other",
          groups: ["all", `project:${project}`],
        }));
        await Promise.all(jobs.map(engine.submit));
        for (const { id } of jobs) await untilEnded(engine, id);
        mosts.push(Object.fromEntries(most));
      }

      expect(mosts).toHaveLength(20);
      for (const [group, cap] of Object.entries(caps)) expect(Math.max(...mosts.map((each) => each[group] ?? 0))).toBe(cap);
    });

    it("takes what a raised cap makes room for at once, and nothing more where it was lowered", async () => {
      const engine = await open();
      const gate = createGate();
      const ids = ["a", "b", "c", "d"];
      await engine.setLimits({ perGroup: { all: 1 } });
      await consume(engine, gate.handler, { capacity: null, attempts: 1 });
      for (const id of ids) await engine.submit({ ...loose(id), groups: ["all"] });
      await gate.next();

      await engine.setLimits({ perGroup: { all: 3 } });
      await gate.next();
      await gate.next();
      await engine.setLimits({ perGroup: { all: 2 } });
      gate.open("a");
      await untilEnded(engine, "a");
      const before = await statesOf(engine, ids);
      gate.open("b");
      await gate.next();

      expect(before).toEqual(["completed", "running", "running", "waiting"]);
      expect(gate.running()).toBe(2);
    });

    it("takes a job when its time has come, and keeps those behind it in its lane waiting, and no others", async () => {
      const engine = await open();
      const { handler, ran } = recorder();
      await consume(engine, handler, { capacity: null, attempts: 1 });
      const due = Date.now() + 300;

      await engine.submit({ ...job("later"), notBefore: new Date(due).toISOString() });
      await engine.submit(job("behind"));
      await engine.submit(loose("beside"));
      await untilEnded(engine, "beside");
      const before = [...ran];
      await untilEnded(engine, "later");
      const endedAt = Date.now();
      await untilEnded(engine, "behind");

      expect(before).toEqual(["beside"]);
      expect(endedAt).toBeGreaterThanOrEqual(due);
      expect(ran).toEqual(["beside", "later", "behind"]);
    });

    it("takes only jobs whose labels the consumer has", async () => {
      const engine = await open();
      const { handler, ran } = recorder();
      await consume(engine, handler, { capacity: null, attempts: 1, labels: ["gpu", "linux"] });

      await engine.submit({ ...loose("mac"), labels: ["gpu", "mac"] });
      await engine.submit({ ...loose("gpu"), labels: ["gpu"] });
      await engine.submit(loose("any"));
      for (const id of ["gpu", "any"]) await untilEnded(engine, id);

      expect(ran.toSorted()).toEqual(["any", "gpu"]);
      expect((await engine.get("mac"))?.state).toBe("waiting");
    });
  });
}
