import { describe, expect, it } from "vitest";
import type { Backend } from "./job-engine-backend.testing.ts";
import type { EngineJob } from "./job-engine.ts";
import { consume, createGate, job, loose, recorder, settlements, statesOf, until, untilEnded } from "./job-handlers.testing.ts";

/** Admissions that the test grants by hand. */
function createDoor() {
  const asking = new Map<string, PromiseWithResolvers<void>>();
  const returned: string[] = [];
  return {
    asking: () => [...asking.keys()],
    returned,
    let: (id: string) => asking.get(id)?.resolve(),
    async admit({ id }: EngineJob, signal: AbortSignal): Promise<() => void> {
      const door = Promise.withResolvers<void>();
      asking.set(id, door);
      signal.addEventListener("abort", () => door.reject(signal.reason));
      await door.promise.finally(() => asking.delete(id));
      return () => void returned.push(id);
    },
  };
}

/** What `admit` means. */
export function describeAdmission(name: string, createBackend: () => Promise<Backend>): void {
  const open = async () => (await createBackend()).open();

  describe(`${name}: admission`, () => {
    it("is asked for jobs that could be taken now, which wait until they have it", async () => {
      const engine = await open();
      const door = createDoor();
      const gate = createGate();
      await consume(engine, gate.handler, { capacity: null, attempts: 1, admit: door.admit });

      await engine.submit(job("first"));
      await engine.submit(job("second"));
      await engine.submit(loose("beside"));
      await until(async () => door.asking().length === 2);
      const asked = door.asking();
      const waiting = await statesOf(engine, ["first", "second", "beside"]);
      door.let("first");
      await gate.next();
      const running = await statesOf(engine, ["first", "second", "beside"]);
      gate.open("first");
      await until(async () => door.asking().includes("second"));

      expect(asked).toEqual(["first", "beside"]);
      expect(waiting).toEqual(["waiting", "waiting", "waiting"]);
      expect(running).toEqual(["running", "waiting", "waiting"]);
      expect(door.returned).toEqual(["first"]);
    });

    it("is given back if the job was cancelled while it waited for it, and the job is settled", async () => {
      const engine = await open();
      const door = createDoor();
      const { handler, ran } = recorder();
      const { settle, settled } = settlements();
      await consume(engine, handler, { capacity: null, attempts: 1, admit: door.admit }, settle);
      for (const id of ["stays", "late"]) await engine.submit(loose(id));
      await until(async () => door.asking().length === 2);

      const stays = engine.cancel("stays");
      door.let("late");
      const late = engine.cancel("late");

      expect(await stays).toMatchObject({ state: "cancelled", attempt: 0 });
      expect(await late).toMatchObject({ state: "cancelled", attempt: 0 });
      expect(ran).toEqual([]);
      expect(door.returned).toEqual(["late"]);
      expect(settled.toSorted()).toEqual(["late cancelled 0", "stays cancelled 0"]);
    });

    it("uses up no attempt if the engine closes before it was granted", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      const door = createDoor();
      const { settle, settled } = settlements();
      await consume(engine, recorder().handler, { capacity: null, attempts: 1, admit: door.admit }, settle);
      await engine.submit(job("one"));
      await until(async () => door.asking().length === 1);

      const closed = await engine.close();
      const next = await backend.open();
      const { handler, attempts } = recorder();
      await consume(next, handler, undefined, settle);
      await untilEnded(next, "one");

      expect(closed).toEqual({ interrupted: 0 });
      expect(attempts).toEqual([1]);
      expect(settled).toEqual([]);
    });

    it("is asked for again if it fails for another reason", async () => {
      const engine = await open();
      const { handler, ran } = recorder();
      let asked = 0;
      const admit = async () => {
        asked += 1;
        if (asked < 3) throw new Error("not now");
        return () => undefined;
      };
      await consume(engine, handler, { capacity: null, attempts: 1, admit });

      await engine.submit(job("one"));

      expect(await untilEnded(engine, "one")).toMatchObject({ state: "completed", attempt: 1 });
      expect([asked, ran]).toEqual([3, ["one"]]);
    });
  });
}
