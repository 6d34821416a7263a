import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { consume, createGate, oneAttempt, recorder, settlements, until, untilEnded } from "../../../core/engine/job-handlers.testing.ts";
import { EngineJobId } from "../../../schema/ids.ts";
import { disk } from "../disk.ts";
import { systemError } from "../failing-disk.testing.ts";
import { failureOf } from "../failure-of.testing.ts";
import { createEngineLayout } from "../layout.ts";
import { createFileJobEngine } from "./job-engine.ts";
import type { FileJobEngineOptions } from "./job-engine.ts";
import { createJobFiles } from "./job-files.ts";

const one = EngineJobId.parse("one");
const job = { id: one, kind: "test", lane: "lane", payload: { text: "hello" } };

describe("the files of a job", () => {
  it("keep any JSON as a payload", async () => {
    const { engine } = await setUp();

    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.json(), async (id, text) => {
        const payload: unknown = JSON.parse(text);

        await engine.submit({ id, kind: "test", lane: "lane", payload });

        expect(JSON.stringify((await engine.get(id))?.payload)).toBe(JSON.stringify(payload));
      }),
      { numRuns: 20 },
    );
  });

  it("are one small file once it ended, and none once it was removed", async () => {
    const { engine, layout } = await setUp();
    await consume(engine, recorder().handler);
    await engine.submit({ ...job, payload: "x".repeat(10_000) });

    await untilEnded(engine, one);
    await until(async () => (await readdir(layout.open)).length === 0);

    const end = await readFile(layout.end(one), "utf8");
    expect(end.length).toBeLessThan(600);
    await engine.remove(one);
    expect(await readdir(layout.ended)).toEqual([]);
  });

  it.each([
    ["was submitted", ["job"], "completed", ["one"], []],
    ["was taken", ["job", "lease"], "failed", [], ["one failed 1"]],
    ["was cancelled while it waited", ["job", "cancel"], "cancelled", [], ["one cancelled 0"]],
    ["was cancelled while it ran", ["job", "lease", "cancel"], "cancelled", [], ["one cancelled 1"]],
    ["had ended, and its files were still there", ["job", "lease", "end"], "completed", [], []],
    ["had ended, and some of its files were still there", ["lease", "end"], "completed", [], []],
  ])("decide how it goes on after a crash when it %s", async (_when, present, expected, expectedToRun, expectedToSettle) => {
    const { layout, files, reopen } = await setUp();
    await leave(files, present);
    const engine = await reopen();
    const { handler, ran } = recorder();
    const { settle, settled } = settlements();

    const before = await engine.get(one);
    await consume(engine, handler, oneAttempt, settle);
    const ended = await untilEnded(engine, one);
    await until(async () => (await readdir(layout.open)).length === 0);

    expect(before?.endedAt === null).toBe(!present.includes("end"));
    expect(ended.state).toBe(expected);
    expect(ran).toEqual(expectedToRun);
    expect(settled).toEqual(expectedToSettle);
  });

  it("that belong to no job any more are cleared away", async () => {
    const { layout, files, reopen } = await setUp();
    await leave(files, ["cancel"]);
    await writeFile(join(layout.open, ".x.job.json.4194305-zz-zz.tmp"), "half");

    const engine = await reopen();

    expect(await readdir(layout.open)).toEqual([]);
    expect(await engine.get(one)).toBeNull();
  });

  it("that are broken are reported and left, the other jobs run, and a repaired one does later", async () => {
    const problems: unknown[] = [];
    const { engine: before, layout, reopen } = await setUp({ onProblem: (problem) => problems.push(problem) });
    await before.submit(job);
    await before.submit({ ...job, id: "two" });
    const whole = await readFile(layout.job(one), "utf8");
    const torn = whole.slice(0, whole.length / 2);
    await writeFile(layout.job(one), torn);
    const engine = await reopen();
    const { handler, ran } = recorder();

    await consume(engine, handler);
    await untilEnded(engine, "two");

    expect(ran).toEqual(["two"]);
    expect(String(problems[0])).toContain(layout.job(one));
    expect((await failureOf(engine.get(one))).code).toBe("file_broken");
    expect((await failureOf(engine.submit(job))).code).toBe("file_broken");
    expect(await readFile(layout.job(one), "utf8")).toBe(torn);
    await writeFile(layout.job(one), whole);
    expect((await engine.get(one))?.payload).toEqual(job.payload);
    expect((await untilEnded(engine, one)).state).toBe("completed");
  });

  it("count an attempt whose lease cannot be read", async () => {
    const { layout, files, reopen } = await setUp();
    await leave(files, ["job", "lease"]);
    await writeFile(layout.lease(one, 1), "");
    const engine = await reopen();
    const { handler, attempts } = recorder();

    await consume(engine, handler, { capacity: 1, attempts: 2 });
    await untilEnded(engine, one);

    expect(attempts).toEqual([2]);
  });
});

describe("a job that is being written", () => {
  it("is not begun before it is durable, and then once", async () => {
    const written = Promise.withResolvers<void>();
    const unlink = async (path: string) => {
      if (path.includes("one.job.json")) {
        isWriting = true;
        await written.promise;
      }
      return disk.unlink(path);
    };
    let isWriting = false;
    const { engine } = await setUp({ disk: { ...disk, unlink } });
    const { handler, ran } = recorder();
    await consume(engine, handler);
    const submitted = engine.submit(job);
    await until(async () => isWriting);
    await engine.submit({ ...job, id: "two" });
    await untilEnded(engine, "two");
    written.resolve();
    await submitted;
    await untilEnded(engine, one);

    expect(ran).toEqual(["two", "one"]);
  });

  it("can be cancelled", async () => {
    const { engine } = await setUp();
    await consume(engine, async ({ signal }) => {
      if (!signal.aborted) await once(signal, "abort");
    });

    const submitted = engine.submit(job);
    await engine.cancel(one);
    await submitted;

    expect(await untilEnded(engine, one)).toMatchObject({ state: "cancelled" });
  });
});

describe("a lease that is being written", () => {
  async function whileTaking() {
    const begun = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const rename = async (from: string, to: string) => {
      begun.resolve();
      await written.promise;
      return disk.rename(from, to);
    };
    const stage = await setUp({ disk: { ...disk, rename } });
    const { settle, settled } = settlements();
    const aborted: boolean[] = [];
    const handler = async ({ signal }: { signal: AbortSignal }) => void aborted.push(signal.aborted);
    const consumer = await consume(stage.engine, handler, oneAttempt, settle);
    await stage.engine.submit(job);
    await begun.promise;
    return { ...stage, written, consumer, aborted, settled };
  }

  it("is withdrawn if the consumer stops before the handler was called: no attempt was used", async () => {
    const { engine, layout, written, consumer, aborted } = await whileTaking();

    const stopping = consumer.stop();
    written.resolve();

    expect(await stopping).toEqual({ interrupted: 0 });
    expect(aborted).toEqual([]);
    expect(await engine.get(one)).toMatchObject({ state: "waiting", attempt: 0 });
    expect(await readdir(layout.open)).toEqual(["one.job.json"]);
  });

  it("counts if the job is cancelled: the handler is called with an aborted signal, and the settler is not", async () => {
    const { engine, written, aborted, settled } = await whileTaking();

    const before = await engine.cancel(one);
    written.resolve();

    expect(before).toMatchObject({ state: "waiting", attempt: 0 });
    expect(await untilEnded(engine, one)).toMatchObject({ state: "cancelled", attempt: 1 });
    expect(aborted).toEqual([true]);
    expect(settled).toEqual([]);
  });
});

describe("a full disk", () => {
  it("refuses a new job and keeps nothing of it", async () => {
    const { engine, layout } = await setUp({ disk: { ...disk, link: noSpace } });

    const failure = await failureOf(engine.submit(job));

    expect(failure.code).toBe("disk_full");
    expect(await readdir(layout.open)).toEqual([]);
    expect(await engine.get(one)).toBeNull();
  });

  it.each(["lease-1.json", "ended/one.json"])("that refuses %s delays the job, which then runs once", async (file) => {
    let refusals = 0;
    const unlessFull = (work: (from: string, to: string) => Promise<void>) => async (from: string, to: string) => {
      if (!to.endsWith(file) || refusals === 3) return work(from, to);
      refusals += 1;
      return noSpace();
    };
    const problems: string[] = [];
    const failing = { ...disk, link: unlessFull(disk.link), rename: unlessFull(disk.rename) };
    const { engine } = await setUp({ disk: failing, onProblem: (problem) => problems.push(String(problem)) });
    const { handler, ran } = recorder();
    await consume(engine, handler);

    await engine.submit(job);
    const ended = await untilEnded(engine, one);

    expect(ended.state).toBe("completed");
    expect(ran).toEqual(["one"]);
    expect(problems).toHaveLength(1);
  });

  it("that refuses the end of a cancelled job delays it: it is settled once and does not run", async () => {
    let isFull = true;
    const link = (from: string, to: string) => (isFull && to.endsWith("ended/two.json") ? noSpace() : disk.link(from, to));
    const { engine } = await setUp({ disk: { ...disk, link } });
    const gate = createGate();
    const { settle, settled } = settlements();
    await consume(engine, gate.handler, oneAttempt, settle);
    for (const id of ["one", "two", "three"]) await engine.submit({ ...job, id });
    await gate.next();

    const failure = await failureOf(engine.cancel("two"));
    gate.open("one");
    await untilEnded(engine, "one");
    isFull = false;
    const next = await gate.next();

    expect(failure.code).toBe("disk_full");
    expect(next.job.id).toBe("three");
    expect(await engine.get("two")).toMatchObject({ state: "cancelled" });
    expect(settled).toEqual(["two cancelled 0"]);
  });

  it("that refuses to cancel a waiting job says so, and the job has its turn", async () => {
    let isFull = true;
    const link = (from: string, to: string) => (isFull && to.endsWith("two.cancel.json") ? noSpace() : disk.link(from, to));
    const { engine } = await setUp({ disk: { ...disk, link } });
    const gate = createGate();
    await consume(engine, gate.handler);
    await engine.submit(job);
    await engine.submit({ ...job, id: "two" });
    await gate.next();

    const failure = await failureOf(engine.cancel("two"));
    isFull = false;
    gate.open("one");
    const next = await gate.next();
    gate.open("two");

    expect(failure.code).toBe("disk_full");
    expect(next.job.id).toBe("two");
    expect(await untilEnded(engine, "two")).toMatchObject({ state: "completed" });
  });
});

describe("a folder that cannot be written", () => {
  it("holds up no other job where it refuses the end of one, which is not done again after a restart", async () => {
    const problems: unknown[] = [];
    const { engine, layout, reopen } = await setUp({ onProblem: (problem) => problems.push(problem) });
    const gate = createGate();
    const consumer = await consume(engine, gate.handler);
    await engine.submit(job);
    await engine.submit({ ...job, id: "two" });
    await gate.next();
    await rm(layout.ended, { recursive: true });
    gate.open("one");

    const next = await gate.next();
    await mkdir(layout.ended);
    gate.open("two");
    await untilEnded(engine, "two");
    await consumer.stop();
    const { handler, ran } = recorder();
    const later = await reopen();
    await consume(later, handler);

    expect(next.job.id).toBe("two");
    expect(problems).toMatchObject([{ code: "home_unusable" }]);
    expect(await later.get(one)).toMatchObject({ state: "failed", failure: { code: "interrupted" } });
    expect(ran).toEqual([]);
  });
});

async function setUp(options: Partial<FileJobEngineOptions> = {}) {
  const folder = await temporaryFolder();
  const layout = createEngineLayout(folder);
  const files = createJobFiles(layout, () => undefined);
  const reopen = async () => {
    const engine = createFileJobEngine({ folder, retryMs: 10, ...options });
    await engine.start();
    return engine;
  };
  return { layout, files, reopen, engine: await reopen() };
}

/** The files that a crash leaves. */
async function leave(files: ReturnType<typeof createJobFiles>, present: readonly string[]): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  const { payload, ...about } = { ...job, groups: [], priority: 0, labels: [], notBefore: null, submittedAt: at };
  if (present.includes("end")) await files.end({ ...about, state: "completed", attempt: 0, startedAt: at, endedAt: at, failure: null });
  if (present.includes("job")) await files.createJob({ ...about, payload, order: 1 });
  if (present.includes("lease")) await files.writeLease(one, { attempt: 1, startedAt: at });
  if (present.includes("cancel")) await files.requestCancel(one, at);
}

const noSpace = () => Promise.reject(systemError("ENOSPC", "no space left on device, link"));
