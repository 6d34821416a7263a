import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import type { ConsumeOptions, NewJob } from "./job-engine.ts";
import { consume, job, loose, oneAttempt, recorder, settlements, untilEnded } from "./job-handlers.testing.ts";

/** Submits jobs and hands them to a process that consumes them. */
async function handOver(backend: Backend, jobs: readonly NewJob[], options: ConsumeOptions) {
  const engine = await backend.open();
  for (const each of jobs) await engine.submit(each);
  await engine.close();
  return backend.startProcess("test", options);
}

/** What holds when the process that runs jobs is killed. */
export function describeDeaths(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: deaths`, () => {
    it("takes a job whose process was killed again, if it has attempts left, and what waited behind it after that", async () => {
      const backend = await createBackend();
      const twice = { capacity: 2, attempts: 2 };
      const process = await handOver(backend, [job("one"), job("two")], twice);
      expect(await process.next()).toBe("run one 1");
      await process.kill();
      const engine = await backend.open();
      const { handler, ran, attempts } = recorder();
      const { settle, settled } = settlements();

      expect(await engine.get("one")).toMatchObject({ attempt: 1, endedAt: null });
      await consume(engine, handler, twice, settle);
      await untilEnded(engine, "two");

      expect(ran).toEqual(["one", "two"]);
      expect(attempts).toEqual([2, 1]);
      expect(settled).toEqual([]);
    });

    it("settles a job without attempts left as interrupted, once over all later lives", async () => {
      const backend = await createBackend();
      const process = await handOver(backend, [job("one")], oneAttempt);
      expect(await process.next()).toBe("run one 1");
      await process.kill();
      const { handler, ran } = recorder();
      const { settle, settled } = settlements();

      for (let life = 0; life < 2; life += 1) {
        const engine = await backend.open();
        await consume(engine, handler, oneAttempt, settle);
        expect(await engine.get("one")).toMatchObject({ state: "failed", attempt: 1, failure: { code: "interrupted" } });
        await engine.close();
      }

      expect(settled).toEqual(["one failed 1"]);
      expect(ran).toEqual([]);
    });

    it("settles again what was being settled when the process was killed, and not what had been settled", async () => {
      const backend = await createBackend();
      const first = await handOver(backend, [loose("done"), loose("torn")], { capacity: 2, attempts: 1 });
      expect([await first.next(), await first.next()].toSorted()).toEqual(["run done 1", "run torn 1"]);
      await first.kill();
      const second = await backend.startProcess("test", { capacity: 2, attempts: 1 });
      expect([await second.next(), await second.next()].toSorted()).toEqual(["settle done failed", "settle torn failed"]);
      second.finish("done");
      expect(await second.next()).toBe("ended done");
      await second.kill();

      const engine = await backend.open();
      const { settle, settled } = settlements();
      await consume(engine, recorder().handler, oneAttempt, settle);

      expect(settled).toEqual(["torn failed 1"]);
    });

    it("does not bring back a job that was cancelled before its process was killed", async () => {
      const backend = await createBackend();
      const process = await handOver(backend, [job("one")], { capacity: 1, attempts: 5 });
      expect(await process.next()).toBe("run one 1");
      process.cancel("one");
      expect(await process.next()).toBe("abort one");
      expect(await process.next()).toBe("cancelled one");
      await process.kill();
      const engine = await backend.open();
      const { handler, ran } = recorder();
      const { settle, settled } = settlements();

      await consume(engine, handler, { capacity: 1, attempts: 5 }, settle);

      expect((await untilEnded(engine, "one")).state).toBe("cancelled");
      expect(settled).toEqual(["one cancelled 1"]);
      expect(ran).toEqual([]);
    });

    it("gives each attempt once while one process after the other is killed", async () => {
      const backend = await createBackend();
      const options = { capacity: 4, attempts: 3 };
      const ids = ["a", "b", "c", "d"];
      const taken: string[] = [];

      let process = await handOver(backend, ids.map(loose), options);
      for (let life = 0; life < 2; life += 1) {
        for (const _id of ids) taken.push(await process.next());
        await process.kill();
        if (life === 0) process = await backend.startProcess("test", options);
      }
      const engine = await backend.open();
      const { handler, ran, attempts } = recorder();
      await consume(engine, handler, options);
      for (const id of ids) await untilEnded(engine, id);

      const all = [...taken, ...ran.map((id, index) => `run ${id} ${attempts[index]}`)];
      expect(all.toSorted()).toEqual([1, 2, 3].flatMap((attempt) => ids.map((id) => `run ${id} ${attempt}`)).toSorted());
    });
  });
}

/** What holds for an engine that one process has to itself. */
export function describeOneProcess(name: string, createBackend: () => Promise<Backend>): void {
  describe(`${name}: a frozen process`, () => {
    it("keeps its jobs from others, and goes on when it wakes: nothing is taken twice", async () => {
      const backend = await createBackend();
      const process = await handOver(backend, [job("one"), job("two")], { capacity: 2, attempts: 2 });
      expect(await process.next()).toBe("run one 1");

      process.freeze();
      await expect(backend.open()).rejects.toBeInstanceOf(Error);
      process.thaw();
      process.finish("one");

      expect([await process.next(), await process.next()].toSorted()).toEqual(["ended one", "run two 1"]);
      await process.kill();
      const engine = await backend.open();
      expect(await engine.get("one")).toMatchObject({ state: "completed", attempt: 1 });
      expect(await engine.get("two")).toMatchObject({ attempt: 1 });
    });
  });
}
