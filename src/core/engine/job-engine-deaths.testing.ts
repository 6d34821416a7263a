import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import { job, oneAttempt, recorder, untilEnded, work } from "./job-handlers.testing.ts";

/** What holds when processes that run jobs are killed. */
export function describeDeaths(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: several processes, and their deaths`, () => {
    it("leaves a job alone whose runner lives, and ends it as interrupted when that one was killed", async () => {
      const backend = await createBackend();
      const engine = backend.connect();
      await engine.submit(job("one"));
      const runner = await backend.startRunner("test", oneAttempt);
      expect(await runner.taken()).toBe("one 1");
      const { handler, ran } = recorder();
      await work(engine, handler);
      expect(await engine.get("one")).toMatchObject({ state: "running", attempt: 1 });

      await runner.kill();

      expect(await untilEnded(engine, "one")).toMatchObject({ state: "failed", attempt: 1, failure: { code: "interrupted" } });
      expect(ran).toEqual([]);
    });

    it("takes a job again whose runner was killed, if it has attempts left, and what waited behind it after that", async () => {
      const backend = await createBackend();
      const twice = { concurrency: 2, attempts: 2 };
      const engine = backend.connect();
      const runner = await backend.startRunner("test", twice);
      await engine.submit(job("one"));
      await engine.submit(job("two"));
      expect(await runner.taken()).toBe("one 1");
      const { handler, ran, attempts } = recorder();
      await runner.kill();

      await work(engine, handler, twice);
      await untilEnded(engine, "two");

      expect(ran).toEqual(["one", "two"]);
      expect(attempts).toEqual([2, 1]);
    });

    it("does not bring back a job that was cancelled before its runner was killed", async () => {
      const backend = await createBackend();
      const engine = backend.connect();
      const runner = await backend.startRunner("test", { concurrency: 1, attempts: 5 });
      await engine.submit(job("one"));
      await runner.taken();
      await engine.cancel("one");
      await runner.kill();
      const { handler, ran } = recorder();

      await work(engine, handler, { concurrency: 1, attempts: 5 });

      expect((await untilEnded(engine, "one")).state).toBe("cancelled");
      expect(ran).toEqual([]);
    });

    it("never gives one attempt to two runners, with several at work while each in turn is killed", async () => {
      const backend = await createBackend();
      const engine = backend.connect();
      const limits = { concurrency: 4, attempts: 3 };
      const ids = ["a", "b", "c", "d"];
      for (const id of ids) await engine.submit({ ...job(id), lane: id });
      const runners = await Promise.all([backend.startRunner("test", limits), backend.startRunner("test", limits)]);
      let atWork = runners.map((runner) => ({ runner, first: runner.taken() }));
      const taken: string[] = [];

      for (let life = 0; life < 2; life += 1) {
        const busy = await Promise.race(atWork.map(async (each) => ({ ...each, line: await each.first })));
        taken.push(busy.line);
        for (let more = 1; more < ids.length; more += 1) taken.push(await busy.runner.taken());
        await busy.runner.kill();
        atWork = atWork.filter(({ runner }) => runner !== busy.runner);
      }
      const { handler, ran, attempts } = recorder();
      await work(engine, handler, limits);
      for (const id of ids) await untilEnded(engine, id);

      const all = [...taken, ...ran.map((id, index) => `${id} ${attempts[index]}`)];
      expect(all.toSorted()).toEqual(ids.flatMap((id) => [`${id} 1`, `${id} 2`, `${id} 3`]).toSorted());
    });
  });
}
