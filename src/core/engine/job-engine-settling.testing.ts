import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import type { EngineJob } from "./job-engine.ts";
import { consume, createGate, job, loose, oneAttempt, recorder, settlements, until, untilEnded } from "./job-handlers.testing.ts";

/** Calls the settler once for every job that ended without its handler. */
export function describeSettling(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: settling`, () => {
    it("is called for a waiting job that was cancelled, with its payload and its end, before the cancelling returns", async () => {
      const engine = await (await createBackend()).open();
      const gate = createGate();
      const settled: EngineJob[] = [];
      await consume(engine, gate.handler, oneAttempt, async (each) => void settled.push(each));
      await engine.submit(job("first"));
      await engine.submit({ ...job("second"), payload: { n: 2 } });
      await gate.next();

      const cancelled = await engine.cancel("second");

      expect(settled).toEqual([{ ...cancelled, payload: { n: 2 } }]);
      expect(cancelled).toMatchObject({ state: "cancelled", attempt: 0, payload: null });
    });

    it("is not called for what its handler ended, whether that was cancelled, failed or was interrupted", async () => {
      const engine = await (await createBackend()).open();
      const gate = createGate();
      const { settle, settled } = settlements();
      const consumer = await consume(engine, gate.handler, { capacity: 3, attempts: 1 }, settle);
      for (const id of ["completed", "cancelled", "interrupted"]) await engine.submit(loose(id));
      for (let begun = 0; begun < 3; begun += 1) await gate.next();

      gate.open("completed");
      await engine.cancel("cancelled");
      for (const id of ["completed", "cancelled"]) await untilEnded(engine, id);
      await consumer.stop();

      expect(await engine.get("interrupted")).toMatchObject({ state: "failed" });
      expect(settled).toEqual([]);
    });

    it("is called by the next consumer for what was cancelled while there was none", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      await engine.submit(job("one"));
      await engine.submit(job("two"));

      const cancelled = await engine.cancel("one");
      await engine.close();
      const next = await backend.open();
      const { handler, ran } = recorder();
      const { settle, settled } = settlements();
      await consume(next, handler, oneAttempt, settle);

      expect(cancelled).toMatchObject({ state: "waiting", endedAt: null });
      expect(settled).toEqual(["one cancelled 0"]);
      expect(await next.get("one")).toMatchObject({ state: "cancelled" });
      await untilEnded(next, "two");
      expect(ran).toEqual(["two"]);
    });

    it("is called again while it fails: the job stays open, holds back its lane, and does not run", async () => {
      const engine = await (await createBackend()).open();
      const gate = createGate();
      const calls: string[] = [];
      let isBroken = true;
      await consume(engine, gate.handler, { capacity: 2, attempts: 1 }, async ({ id }) => {
        calls.push(id);
        if (isBroken) throw new Error("no room");
      });
      for (const id of ["first", "second", "third"]) await engine.submit(job(id));
      await gate.next();

      const cancelling = engine.cancel("second");
      await expect(cancelling).rejects.toThrow("no room");
      gate.open("first");
      await untilEnded(engine, "first");
      await until(async () => calls.length > 2);
      const meantime = await engine.listOpen("test");
      isBroken = false;
      const next = await gate.next();
      const tries = calls.length;
      gate.open("third");
      await untilEnded(engine, "third");

      expect(meantime.map(({ id }) => id)).toEqual(["second", "third"]);
      expect(next.job.id).toBe("third");
      expect(await engine.get("second")).toMatchObject({ state: "cancelled" });
      expect(calls).toHaveLength(tries);
    });

    it("goes on after a restart if it failed until then", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      const gate = createGate();
      await consume(engine, gate.handler, oneAttempt, async () => {
        throw new Error("no room");
      });
      await engine.submit(job("first"));
      await engine.submit(job("second"));
      await gate.next();
      await engine.cancel("second").catch(() => undefined);
      await engine.close();

      const next = await backend.open();
      const { settle, settled } = settlements();
      await consume(next, recorder().handler, oneAttempt, settle);

      expect(settled).toEqual(["second cancelled 0"]);
      expect(await next.get("second")).toMatchObject({ state: "cancelled" });
    });
  });
}
