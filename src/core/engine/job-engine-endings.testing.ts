import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import { consume, createGate, job, loose, recorder, until, untilEnded } from "./job-handlers.testing.ts";

/** How jobs end before they are done: cancelled, or interrupted with their consumer. */
export function describeEndings(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: cancelling and forgetting`, () => {
    it("ends a waiting job, which then never runs", async () => {
      const engine = await (await createBackend()).open();
      const gate = createGate();
      await consume(engine, gate.handler);
      await engine.submit(job("first"));
      await engine.submit(job("second"));
      await engine.submit(job("third"));
      await gate.next();

      const cancelled = await Promise.all([engine.cancel("second"), engine.cancel("second")]);
      gate.open("first");
      const next = await gate.next();

      expect(cancelled.map((record) => record?.state)).toEqual(["cancelled", "cancelled"]);
      expect(next.job.id).toBe("third");
    });

    it("aborts a running job and ends it as cancelled when its handler is done, however that went", async () => {
      const engine = await (await createBackend()).open();
      await consume(engine, async ({ job: { id }, signal }) => {
        if (!signal.aborted) await once(signal, "abort");
        if (id === "thrower") throw signal.reason;
      });

      for (const id of ["thrower", "returner"]) {
        await engine.submit(job(id));
        await until(async () => (await engine.get(id))?.attempt === 1);
        const cancelled = await engine.cancel(id);

        expect(["running", "cancelled"]).toContain(cancelled?.state);
        expect(await untilEnded(engine, id)).toMatchObject({ state: "cancelled", failure: null });
      }
    });

    it("changes nothing about a job that has ended or never was", async () => {
      const engine = await (await createBackend()).open();
      await consume(engine, recorder().handler);
      await engine.submit(job("one"));
      const ended = await untilEnded(engine, "one");

      expect(await engine.cancel("one")).toEqual(ended);
      expect(await engine.cancel("never")).toBeNull();
      expect(await engine.get("never")).toBeNull();
    });

    it("forgets an ended job and refuses to forget another", async () => {
      const engine = await (await createBackend()).open();
      const gate = createGate();
      await consume(engine, gate.handler);
      await engine.submit(job("one"));
      await expect(engine.remove("one")).rejects.toThrow("Job one has not ended");
      gate.open((await gate.next()).job.id);
      await untilEnded(engine, "one");

      await engine.remove("one");
      await engine.remove("one");

      expect(await engine.get("one")).toBeNull();
    });
  });

  describe(`${name}: stopping`, () => {
    it("aborts what runs, waits for it, and ends it as interrupted where no attempt is left", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      const gate = createGate();
      const consumer = await consume(engine, gate.handler);
      await engine.submit(job("running"));
      await engine.submit(job("waiting"));
      await gate.next();

      const stopped = await Promise.all([consumer.stop(), consumer.stop()]);

      expect(stopped).toEqual([{ interrupted: 1 }, { interrupted: 1 }]);
      expect(gate.running()).toBe(0);
      expect(await engine.get("running")).toMatchObject({ state: "failed", failure: { code: "interrupted" } });
      expect(await engine.get("waiting")).toMatchObject({ state: "waiting", attempt: 0 });
    });

    it("leaves a job with attempts to the next consumer, before those that came later", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      const gate = createGate();
      const twice = { capacity: 1, attempts: 2 };
      const first = await consume(engine, gate.handler, twice);
      await engine.submit(job("one"));
      await engine.submit(job("two"));
      await gate.next();
      await first.stop();
      expect(await engine.get("one")).toMatchObject({ state: "waiting", attempt: 1 });
      await engine.close();

      await consume(await backend.open(), gate.handler, twice);
      const again = await gate.next();

      expect(again).toMatchObject({ attempt: 2, job: { id: "one" } });
    });

    it("closes by aborting what runs and waiting for it, once, and takes nothing afterwards", async () => {
      const engine = await (await createBackend()).open();
      const gate = createGate();
      await consume(engine, gate.handler, { capacity: 2, attempts: 1 });
      for (const id of ["a", "b", "c"]) await engine.submit(loose(id));
      await gate.next();
      await gate.next();

      const closed = await Promise.all([engine.close(), engine.close()]);
      await engine.submit(loose("d"));

      expect(closed).toEqual([{ interrupted: 2 }, { interrupted: 2 }]);
      expect(gate.running()).toBe(0);
      expect((await engine.listOpen("test")).map(({ id, state }) => [id, state])).toEqual([
        ["c", "waiting"],
        ["d", "waiting"],
      ]);
      await expect(consume(engine, gate.handler)).rejects.toThrow(/closed/);
    });

    it("counts as completed what was done nevertheless", async () => {
      const engine = await (await createBackend()).open();
      const started = Promise.withResolvers<void>();
      const consumer = await consume(engine, async ({ signal }) => {
        started.resolve();
        if (!signal.aborted) await once(signal, "abort");
      });
      await engine.submit(job("one"));
      await started.promise;

      expect(await consumer.stop()).toEqual({ interrupted: 1 });
      expect((await engine.get("one"))?.state).toBe("completed");
    });
  });
}
