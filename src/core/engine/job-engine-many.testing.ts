import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import { consume, createGate, job, oneAttempt, recorder, settlements, untilEnded } from "./job-handlers.testing.ts";

const laneOf = (index: number) => `lane-${index % 500}`;
const idOf = (index: number) => `job-${index}`;

/** What holds with very many waiting jobs. */
export function describeMany(name: string, count: number, createBackend: () => Promise<Backend>): void {
  describe(`${name}: ${count} waiting jobs`, () => {
    it("are all there after a restart, in their order; one can be cancelled, an urgent one goes first, and each runs once", async () => {
      const backend = await createBackend();
      const engine = await backend.openCarelessly();
      const gate = createGate();
      const consumer = await consume(engine, gate.handler, { capacity: 1, attempts: 2 });
      for (let from = 0; from < count; from += 100) {
        const batch = Array.from({ length: 100 }, (_, index) => from + index);
        await Promise.all(batch.map((index) => engine.submit({ ...job(idOf(index)), lane: laneOf(index) })));
      }
      await gate.next();
      await consumer.stop();
      await engine.close();

      const next = await backend.openCarelessly();
      const open = await next.listOpen("test");
      const { handler, ran } = recorder();
      const { settle, settled } = settlements();
      await next.cancel(idOf(count / 2));
      await next.submit({ ...job("urgent"), lane: null, priority: 1 });
      await consume(next, handler, { ...oneAttempt, attempts: 2 }, settle);
      for (let index = 0; index < 100; index += 1) await untilEnded(next, idOf(index));
      await next.close();

      expect(open).toHaveLength(count);
      expect(new Set(open.map(({ id }) => id)).size).toBe(count);
      expect(settled).toEqual([`${idOf(count / 2)} cancelled 0`]);
      expect(ran.slice(0, 3)).toEqual(["urgent", ...open.slice(0, 2).map(({ id }) => id)]);
      expect(new Set(ran).size).toBe(ran.length);
    }, 300_000);
  });
}
