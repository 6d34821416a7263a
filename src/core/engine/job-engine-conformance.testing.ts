import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import type { Backend } from "./job-engine-backend.testing.ts";
import { describeDeaths } from "./job-engine-deaths.testing.ts";
import { describeEndings } from "./job-engine-endings.testing.ts";
import { createGate, job, oneAttempt, recorder, statesOf, untilEnded, work } from "./job-handlers.testing.ts";

/** What every job engine promises, whatever it stores its jobs in. */
export function describeJobEngine(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: submitting`, () => {
    it("keeps a job that nobody works on yet", async () => {
      const backend = await createBackend();

      const submitted = await backend.connect().submit({ ...job("one"), payload: { n: 1 } });

      expect(submitted).toMatchObject({
        id: "one",
        kind: "test",
        lane: "lane",
        payload: { n: 1 },
        state: "waiting",
        attempt: 0,
        endedAt: null,
      });
      expect(await backend.connect().get("one")).toEqual(submitted);
    });

    it("answers the stored record when the same id comes again, at once, later, and after the end", async () => {
      const engine = (await createBackend()).connect();
      const { handler, ran } = recorder();

      const atOnce = await Promise.all([1, 2, 3].map((n) => engine.submit({ ...job("one"), payload: n })));
      const later = await engine.submit({ ...job("one"), payload: 4 });
      await work(engine, handler);
      await untilEnded(engine, "one");
      const afterwards = await engine.submit(job("one"));

      expect([...atOnce, later].map(({ payload }) => payload)).toEqual([1, 1, 1, 1]);
      expect(afterwards.state).toBe("completed");
      expect(ran).toEqual(["one"]);
    });

    it("runs a job once although two engines were given it at the same time", async () => {
      const backend = await createBackend();
      const { handler, ran } = recorder();
      const [first, second] = [backend.connect(), backend.connect()];
      await work(first, handler);
      await work(second, handler);

      await Promise.all([first, second, first, second].map((engine) => engine.submit(job("one"))));
      await untilEnded(first, "one");

      expect(ran).toEqual(["one"]);
    });

    it("refuses an id that could be a path", async () => {
      const engine = (await createBackend()).connect();

      for (const id of ["", "../x", "a/b", "A", ".hidden", "x".repeat(200), "a\0b"]) {
        await expect((async () => engine.submit(job(id)))()).rejects.toThrow(/is no id of a job/);
      }
    });
  });

  describe(`${name}: running`, () => {
    it("shows a running job with its attempt, and a completed one without its payload", async () => {
      const engine = (await createBackend()).connect();
      const gate = createGate();
      await work(engine, gate.handler);
      await engine.submit({ ...job("one"), payload: { big: true } });

      const lease = await gate.next();
      const running = await engine.get("one");
      gate.open("one");
      const ended = await untilEnded(engine, "one");

      expect(lease.job).toEqual(running);
      expect(running).toMatchObject({ state: "running", attempt: 1, payload: { big: true } });
      expect(ended).toMatchObject({ state: "completed", attempt: 1, payload: null, failure: null });
      expect(ended.endedAt).not.toBeNull();
    });

    it("runs a lane in the order of submission, one at a time, and lanes side by side up to the limit", async () => {
      const engine = (await createBackend()).connect();

      await fc.assert(
        fc.asyncProperty(
          fc.uuid(),
          fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 3 }),
          async (kind, lanes, concurrency) => {
            const running = new Set<string>();
            const started: string[] = [];
            const breaches: string[] = [];
            const worker = await engine.work(kind, { concurrency, attempts: 1 }, async ({ job: { id, lane } }) => {
              started.push(id);
              if (running.has(lane)) breaches.push(`lane ${lane} twice`);
              if (running.size >= concurrency) breaches.push(`more than ${concurrency}`);
              running.add(lane);
              await new Promise(setImmediate);
              running.delete(lane);
            });

            const ids = lanes.map((_, index) => `${kind}-${index}`);
            for (const [index, lane] of lanes.entries()) await engine.submit({ id: ids[index] ?? "", kind, lane, payload: null });
            for (const id of ids) await untilEnded(engine, id);
            await worker.stop();

            expect(breaches).toEqual([]);
            const byLane = (list: string[]) => ["a", "b", "c"].map((lane) => list.filter((id) => lanes[ids.indexOf(id)] === lane));
            expect(byLane(started)).toEqual(byLane(ids));
          },
        ),
        { numRuns: 8 },
      );
    });

    it("never runs more than the limit, however many come at once", async () => {
      const engine = (await createBackend()).connect();
      const gate = createGate();
      await work(engine, gate.handler, { concurrency: 1, attempts: 1 });

      await Promise.all(["a", "b", "c", "d"].map((id) => engine.submit({ ...job(id), lane: id })));
      await gate.next();

      expect(gate.running()).toBe(1);
      expect((await statesOf(engine, ["a", "b", "c", "d"])).filter((state) => state === "running")).toHaveLength(1);
    });

    it("ends a job whose handler throws as failed, with the code and the message", async () => {
      const engine = (await createBackend()).connect();
      await work(engine, async ({ job: { id } }) => {
        throw id === "known" ? new HallError("model_auth", "The key was refused.") : new Error("boom");
      });

      await engine.submit(job("known"));
      await engine.submit(job("unknown"));

      expect((await untilEnded(engine, "known")).failure).toEqual({ code: "model_auth", message: "The key was refused." });
      expect((await untilEnded(engine, "unknown")).failure).toEqual({ code: "internal", message: "boom" });
    });

    it("keeps kinds apart, and has one worker for each", async () => {
      const engine = (await createBackend()).connect();
      const { handler, ran } = recorder();
      await work(engine, handler);

      await engine.submit({ ...job("other"), kind: "other" });
      await engine.submit(job("one"));
      await untilEnded(engine, "one");

      expect(ran).toEqual(["one"]);
      expect((await engine.get("other"))?.state).toBe("waiting");
      await expect(engine.work("test", oneAttempt, handler)).rejects.toThrow(/already have a worker/);
    });

    it("runs what was submitted before there was a worker, in order", async () => {
      const backend = await createBackend();
      for (const id of ["c", "a", "b"]) await backend.connect().submit(job(id));
      const { handler, ran } = recorder();
      const engine = backend.connect();

      await work(engine, handler);
      for (const id of ["c", "a", "b"]) await untilEnded(engine, id);

      expect(ran).toEqual(["c", "a", "b"]);
    });
  });

  describeEndings(name, createBackend);
  describeDeaths(name, createBackend);
}
