import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import type { Abilities, Backend } from "./job-engine-backend.testing.ts";
import { describeAdmission } from "./job-engine-admission.testing.ts";
import { describeDeaths, describeOneProcess } from "./job-engine-deaths.testing.ts";
import { describeEndings } from "./job-engine-endings.testing.ts";
import { describeMany } from "./job-engine-many.testing.ts";
import { describeOrder } from "./job-engine-order.testing.ts";
import { describeSeveralProcesses } from "./job-engine-processes.testing.ts";
import { describeSettling } from "./job-engine-settling.testing.ts";
import { consume, createGate, job, loose, oneAttempt, recorder, untilEnded } from "./job-handlers.testing.ts";

/** What every job engine promises, whatever it stores its jobs in. */
export function describeJobEngine(name: string, { severalProcesses, waitingJobs }: Abilities, createBackend: () => Promise<Backend>): void {
  const open = async () => (await createBackend()).open();

  describe(`${name}: submitting`, () => {
    it("keeps a job that has no consumer yet, also over a restart", async () => {
      const backend = await createBackend();
      const engine = await backend.open();
      const notBefore = new Date(Date.now() + 60_000).toISOString();

      const submitted = await engine.submit({
        ...job("one"),
        payload: { n: 1 },
        groups: ["all", "project:x"],
        priority: 3,
        labels: ["gpu"],
        notBefore,
      });
      await engine.close();

      expect(submitted).toEqual({
        ...job("one"),
        payload: { n: 1 },
        groups: ["all", "project:x"],
        priority: 3,
        labels: ["gpu"],
        notBefore,
        state: "waiting",
        attempt: 0,
        submittedAt: submitted.submittedAt,
        startedAt: null,
        endedAt: null,
        failure: null,
      });
      const next = await backend.open();
      expect(await next.get("one")).toEqual(submitted);
      expect(await next.listOpen("test")).toEqual([submitted]);
      expect(await next.listOpen("other")).toEqual([]);
    });

    it("returns the stored record for the same id: at once, later, and after the end", async () => {
      const engine = await open();
      const { handler, ran } = recorder();

      const atOnce = await Promise.all([1, 2, 3].map((n) => engine.submit({ ...job("one"), payload: n })));
      const later = await engine.submit({ ...job("one"), payload: 4 });
      await consume(engine, handler);
      await untilEnded(engine, "one");
      const afterwards = await engine.submit(job("one"));

      expect([...atOnce, later].map(({ payload }) => payload)).toEqual([1, 1, 1, 1]);
      expect(afterwards.state).toBe("completed");
      expect(ran).toEqual(["one"]);
    });

    it("refuses an id that could be a path, and a time that is none", async () => {
      const engine = await open();

      for (const id of ["", "../x", "a/b", "A", ".hidden", "x".repeat(200), "a\0b"]) {
        await expect((async () => engine.submit(job(id)))()).rejects.toThrow(/is no id of a job/);
      }
      await expect((async () => engine.submit({ ...job("one"), notBefore: "soon" }))()).rejects.toThrow(/time/);
      expect(await engine.get("one")).toBeNull();
    });
  });

  describe(`${name}: running`, () => {
    it("shows a running job with its attempt, and a completed one without its payload", async () => {
      const engine = await open();
      const gate = createGate();
      await consume(engine, gate.handler);
      await engine.submit({ ...job("one"), payload: { big: true } });

      const lease = await gate.next();
      const running = await engine.get("one");
      gate.open("one");
      const ended = await untilEnded(engine, "one");

      expect(lease.job).toEqual(running);
      expect(lease.attempt).toBe(1);
      expect(running).toMatchObject({ state: "running", attempt: 1, payload: { big: true } });
      expect(ended).toMatchObject({ state: "completed", attempt: 1, payload: null, failure: null });
      expect(ended.endedAt).not.toBeNull();
    });

    it("ends a job whose handler throws as failed, with the code and the message, however many attempts it has", async () => {
      const engine = await open();
      const failing = async ({ job: { id } }: { job: { id: string } }) => {
        throw id === "known" ? new HallError("model_auth", "The key was refused.") : new Error("boom");
      };
      await consume(engine, failing, { capacity: 1, attempts: 3 });

      await engine.submit(job("known"));
      await engine.submit(job("unknown"));

      expect((await untilEnded(engine, "known")).failure).toEqual({ code: "model_auth", message: "The key was refused." });
      expect(await untilEnded(engine, "unknown")).toMatchObject({ attempt: 1, failure: { code: "internal", message: "boom" } });
    });

    it("keeps kinds apart, and has one consumer for each", async () => {
      const engine = await open();
      const { handler, ran } = recorder();
      const consumer = await consume(engine, handler);

      await engine.submit({ ...job("other"), kind: "other" });
      await engine.submit(job("one"));
      await untilEnded(engine, "one");

      expect(ran).toEqual(["one"]);
      expect((await engine.get("other"))?.state).toBe("waiting");
      const another = () => engine.consume("test", oneAttempt, handler, async () => undefined);
      await expect(another()).rejects.toThrow(/already have a consumer/);
      await consumer.stop();
      await (await another()).stop();
    });

    it("runs each of 40 jobs once, without a limit of its own", async () => {
      const engine = await open();
      const gate = createGate();
      const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`);
      await consume(engine, gate.handler, { capacity: null, attempts: 3 });

      await Promise.all(ids.map((id) => engine.submit(loose(id))));
      const ran: string[] = [];
      for (const _id of ids) ran.push((await gate.next()).job.id);
      const together = gate.running();
      for (const id of ids) gate.open(id);
      for (const id of ids) await untilEnded(engine, id);

      expect(together).toBe(40);
      expect(ran.toSorted()).toEqual(ids.toSorted());
    });
  });

  describeOrder(name, createBackend);
  describeAdmission(name, createBackend);
  describeEndings(name, createBackend);
  describeSettling(name, createBackend);
  describeDeaths(name, createBackend);
  describeMany(name, waitingJobs, createBackend);
  if (severalProcesses) describeSeveralProcesses(name, createBackend);
  else describeOneProcess(name, createBackend);
}
