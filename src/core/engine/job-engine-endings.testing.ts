import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import { createGate, job, recorder, until, untilEnded, work } from "./job-handlers.testing.ts";

/** How jobs end before they are done: cancelled by somebody, or interrupted with their worker. */
export function describeEndings(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: cancelling and forgetting`, () => {
    it("ends a waiting job, which then never runs", async () => {
      const engine = (await createBackend()).connect();
      const gate = createGate();
      await work(engine, gate.handler);
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

    it("ends a job that nobody works on", async () => {
      const backend = await createBackend();
      await backend.connect().submit(job("one"));

      expect(await backend.connect().cancel("one")).toMatchObject({ state: "cancelled", attempt: 0 });
      expect(await backend.connect().get("one")).toMatchObject({ state: "cancelled" });
    });

    it("ends a job that nobody works on where others are worked on", async () => {
      const engine = (await createBackend()).connect();
      const { handler, ran } = recorder();
      await work(engine, handler);
      await engine.submit({ ...job("other"), kind: "other" });

      const cancelled = await engine.cancel("other");
      await engine.submit(job("one"));
      await untilEnded(engine, "one");

      expect(cancelled).toMatchObject({ state: "cancelled", attempt: 0 });
      expect(ran).toEqual(["one"]);
    });

    it("aborts a running job and ends it as cancelled when its handler is done, however that went", async () => {
      const engine = (await createBackend()).connect();
      await work(engine, async ({ job: { id }, signal }) => {
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

    it("reaches a job that another engine runs", async () => {
      const backend = await createBackend();
      const gate = createGate();
      const runner = backend.connect();
      await work(runner, gate.handler);
      await backend.connect().submit(job("one"));
      await gate.next();

      await backend.connect().cancel("one");

      expect((await untilEnded(runner, "one")).state).toBe("cancelled");
    });

    it("changes nothing about a job that has ended or never was", async () => {
      const engine = (await createBackend()).connect();
      await work(engine, recorder().handler);
      await engine.submit(job("one"));
      const ended = await untilEnded(engine, "one");

      expect(await engine.cancel("one")).toEqual(ended);
      expect(await engine.cancel("never")).toBeNull();
      expect(await engine.get("never")).toBeNull();
    });

    it("forgets an ended job and refuses to forget another", async () => {
      const engine = (await createBackend()).connect();
      await engine.submit(job("one"));
      await expect(engine.remove("one")).rejects.toThrow("Job one has not ended");
      await engine.cancel("one");

      await engine.remove("one");
      await engine.remove("one");

      expect(await engine.get("one")).toBeNull();
    });
  });

  describe(`${name}: stopping`, () => {
    it("aborts what runs, waits for it, and ends it as interrupted where no attempt is left", async () => {
      const backend = await createBackend();
      const engine = backend.connect();
      const gate = createGate();
      const worker = await work(engine, gate.handler);
      await engine.submit(job("running"));
      await engine.submit(job("waiting"));
      await gate.next();

      const stopped = await Promise.all([worker.stop(), worker.stop()]);

      expect(stopped).toEqual([{ interrupted: 1 }, { interrupted: 1 }]);
      expect(gate.running()).toBe(0);
      expect(await engine.get("running")).toMatchObject({ state: "failed", failure: { code: "interrupted" } });
      expect(await engine.get("waiting")).toMatchObject({ state: "waiting", attempt: 0 });
    });

    it("leaves a job with attempts to the next worker, before those that came later", async () => {
      const backend = await createBackend();
      const engine = backend.connect();
      const gate = createGate();
      const twice = { concurrency: 1, attempts: 2 };
      const first = await work(engine, gate.handler, twice);
      await engine.submit(job("one"));
      await engine.submit(job("two"));
      await gate.next();
      await first.stop();

      await work(backend.connect(), gate.handler, twice);
      const again = await gate.next();

      expect(again).toMatchObject({ attempt: 2, job: { id: "one" } });
    });

    it("counts as completed what was done nevertheless", async () => {
      const engine = (await createBackend()).connect();
      const started = Promise.withResolvers<void>();
      const worker = await work(engine, async ({ signal }) => {
        started.resolve();
        if (!signal.aborted) await once(signal, "abort");
      });
      await engine.submit(job("one"));
      await started.promise;

      expect(await worker.stop()).toEqual({ interrupted: 1 });
      expect((await engine.get("one"))?.state).toBe("completed");
    });
  });
}
