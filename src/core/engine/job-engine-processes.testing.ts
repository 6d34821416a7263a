import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import { consume, createGate, job, loose, recorder, untilEnded } from "./job-handlers.testing.ts";

/** What holds for an engine that several processes may use at once. */
export function describeSeveralProcesses(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: several processes`, () => {
    it("runs each of 40 jobs once over three of them, within the cap of their group", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      await engine.setLimits({ perGroup: { all: 10 } });
      const options = { capacity: 5, attempts: 1 };
      const others = [await backend.startProcess("test", options), await backend.startProcess("test", options)];
      const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`);
      const running = new Set<string>();
      const ran: string[] = [];
      let most = 0;
      const begin = (id: string) => {
        ran.push(id);
        running.add(id);
        most = Math.max(most, running.size);
      };
      const reading = others.map(async (process) => {
        for (let line = await process.next(); line !== ""; line = await process.next()) {
          const [what, id = ""] = line.split(" ");
          if (what === "ended") running.delete(id);
          if (what !== "run") continue;
          begin(id);
          process.finish(id);
        }
      });
      await consume(
        engine,
        async ({ job: { id } }) => {
          begin(id);
          await new Promise(setImmediate);
          running.delete(id);
        },
        options,
      );

      await Promise.all(ids.map((id) => engine.submit({ ...loose(id), groups: ["all"] })));
      for (const id of ids) await untilEnded(engine, id);
      for (const process of others) await process.kill();
      await Promise.all(reading);

      expect(ran.toSorted()).toEqual(ids.toSorted());
      expect(most).toBeLessThanOrEqual(10);
    });

    it("takes the job of a frozen process, which is aborted when it wakes and whose late result is refused", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      const process = await backend.startProcess("test", { capacity: 1, attempts: 2 });
      await engine.submit(job("one"));
      expect(await process.next()).toBe("run one 1");
      const gate = createGate();

      process.freeze();
      await consume(engine, gate.handler, { capacity: 1, attempts: 2 });
      const lease = await gate.next();
      process.thaw();
      expect(await process.next()).toBe("abort one");
      process.finish("one");
      gate.open("one");

      expect(lease.attempt).toBe(2);
      expect(await untilEnded(engine, "one")).toMatchObject({ state: "completed", attempt: 2 });
    });

    it("cancels a job that another process runs", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      const process = await backend.startProcess("test", { capacity: 1, attempts: 5 });
      await engine.submit(job("one"));
      expect(await process.next()).toBe("run one 1");

      await engine.cancel("one");

      expect(await process.next()).toBe("abort one");
      expect(await untilEnded(engine, "one")).toMatchObject({ state: "cancelled", attempt: 1 });
      const { handler, ran } = recorder();
      await consume(engine, handler);
      expect(ran).toEqual([]);
    });
  });
}
