import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { JobHandler, JobWorker } from "../../../core/job/job-engine.ts";
import { createGate, recorder, until, untilEnded } from "../../../core/job/job-handlers.testing.ts";
import { EngineJobId } from "../../../schema/ids.ts";
import { startProgram } from "../child-program.testing.ts";
import { disk } from "../disk.ts";
import { systemError } from "../failing-disk.testing.ts";
import { failureOf } from "../failure-of.testing.ts";
import { createEngineLayout } from "../layout.ts";
import { identifyProcess, identifyThisProcess, ProcessIdentity } from "../process-identity.ts";
import { leaseDocument } from "./job-documents.ts";
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
    await work(engine, recorder().handler);
    await engine.submit({ ...job, payload: "x".repeat(10_000) });

    await untilEnded(engine, one);
    await until(async () => (await readdir(layout.open)).length === 0);

    const end = await readFile(layout.end(one), "utf8");
    expect(end.length).toBeLessThan(600);
    await engine.remove(one);
    expect(await readdir(layout.ended)).toEqual([]);
  });

  it.each([
    ["was submitted", ["job"], "waiting", ["one"]],
    ["was taken", ["job", "lease"], "failed", []],
    ["was cancelled while it waited", ["job", "cancel"], "cancelled", []],
    ["was cancelled while it ran", ["job", "lease", "cancel"], "cancelled", []],
    ["had ended, and its files were still there", ["job", "lease", "end"], "completed", []],
    ["had ended, and some of its files were still there", ["lease", "end"], "completed", []],
  ])("tell what becomes of it after a crash when it %s", async (_when, present, expected, expectedToRun) => {
    const { engine, layout, files } = await setUp();
    await leave(files, present);
    const { handler, ran } = recorder();

    const before = await engine.get(one);
    await work(engine, handler);
    const ended = await untilEnded(engine, one);
    await until(async () => (await readdir(layout.open)).length === 0);

    expect(before?.state).toBe({ waiting: "waiting", failed: "waiting", cancelled: "waiting", completed: "completed" }[expected]);
    expect(ended.state).toBe(expected === "waiting" ? "completed" : expected);
    expect(ran).toEqual(expectedToRun);
  });

  it("that belong to no job any more are cleared away", async () => {
    const { engine, layout, files } = await setUp();
    await leave(files, ["cancel"]);
    await writeFile(join(layout.open, ".x.job.json.4194305-zz-zz.tmp"), "half");

    await work(engine, recorder().handler);

    expect(await readdir(layout.open)).toEqual([]);
    expect(await engine.get(one)).toBeNull();
  });

  it("that somebody broke are reported and left, and the other jobs run", async () => {
    const problems: unknown[] = [];
    const { engine, layout } = await setUp({ onProblem: (problem) => problems.push(problem) });
    await engine.submit(job);
    await engine.submit({ ...job, id: "two" });
    const whole = await readFile(layout.job(one), "utf8");
    const torn = whole.slice(0, whole.length / 2);
    await writeFile(layout.job(one), torn);
    const { handler, ran } = recorder();

    await work(engine, handler);
    await untilEnded(engine, "two");

    expect(ran).toEqual(["two"]);
    expect(String(problems[0])).toContain(layout.job(one));
    expect((await failureOf(engine.get(one))).code).toBe("file_broken");
    expect((await failureOf(engine.submit(job))).code).toBe("file_broken");
    expect(await readFile(layout.job(one), "utf8")).toBe(torn);
  });

  it("count an attempt whose lease cannot be read", async () => {
    const { engine, layout, files } = await setUp();
    await leave(files, ["job", "lease"]);
    await writeFile(layout.lease(one, 1), "");
    const { handler, attempts } = recorder();

    await work(engine, handler, 2);
    await untilEnded(engine, one);

    expect(attempts).toEqual([2]);
  });
});

describe("a lease", () => {
  it("is lost when another runner takes the job: the handler is told, and its word no longer counts", async () => {
    const { engine, layout } = await setUp();
    const gate = createGate();
    await work(engine, gate.handler);
    await engine.submit(job);
    const lease = await gate.next();
    await lease.heartbeat();

    await leaseDocument.create(layout.lease(one, 2), { ...(await leaseOf(2)), runner: await anotherProcess() });

    await until(async () => lease.signal.aborted);
    expect((await failureOf(lease.heartbeat())).message).toContain("Attempt 1 of job one no longer counts");
    await until(async () => (await engine.get(one))?.attempt === 2);
    expect(gate.running()).toBe(0);
    expect(await engine.get(one)).toMatchObject({ state: "running", attempt: 2 });
    expect(await readdir(layout.ended)).toEqual([]);
  });

  it("is respected although somebody deleted the lock file, until its runner is dead", async () => {
    const { engine, layout, folder } = await setUp();
    const runner = startProgram(new URL("./job-runner.testing.ts", import.meta.url), [folder, "test", "1", "2"]);
    expect(await runner.line()).toBe("ready");
    await engine.submit(job);
    expect(await runner.line()).toBe("one 1");
    await rm(layout.lock);
    const { handler, attempts } = recorder();

    await work(engine, handler, 2);
    const whileItLives = await engine.get(one);
    const ranWhileItLives = attempts.length;
    await runner.kill();
    await untilEnded(engine, one);

    expect(whileItLives).toMatchObject({ state: "running", attempt: 1 });
    expect(ranWhileItLives).toBe(0);
    expect(attempts).toEqual([2]);
  });
});

describe("a job that is being written", () => {
  it("is not begun before it is durable, and then once", async () => {
    const written = Promise.withResolvers<void>();
    const unlink = async (path: string) => {
      if (path.includes("one.job.json")) await written.promise;
      return disk.unlink(path);
    };
    const { engine, folder } = await setUp({ disk: { ...disk, unlink } });
    const { handler, ran } = recorder();
    await work(engine, handler);
    const submitted = engine.submit(job);
    await until(async () => (await engine.get(one)) !== null);

    // What another process submits later is noticed later.
    await createFileJobEngine({ folder }).submit({ ...job, id: "two" });
    await untilEnded(engine, "two");
    written.resolve();
    await submitted;
    await untilEnded(engine, one);

    expect(ran).toEqual(["two", "one"]);
  });

  it("can be cancelled by whoever submits it", async () => {
    const { engine } = await setUp();
    await work(engine, async ({ signal }) => {
      if (!signal.aborted) await once(signal, "abort");
    });

    const submitted = engine.submit(job);
    await engine.cancel(one);
    await submitted;

    expect(await untilEnded(engine, one)).toMatchObject({ state: "cancelled" });
  });

  it("is found by whoever works also where another process was faster", async () => {
    const { engine, folder, layout } = await setUp();
    const { handler, ran } = recorder();
    await work(engine, handler);

    await Promise.all([engine, createFileJobEngine({ folder })].map((each) => each.submit(job)));
    await untilEnded(engine, one);

    expect(ran).toEqual(["one"]);
    expect(await readdir(layout.open)).toEqual([]);
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
    const link = async (from: string, to: string) => {
      if (!to.endsWith(file) || refusals === 3) return disk.link(from, to);
      refusals += 1;
      return noSpace();
    };
    const problems: string[] = [];
    const { engine } = await setUp({ disk: { ...disk, link }, onProblem: (problem) => problems.push(String(problem)) });
    const { handler, ran } = recorder();
    await work(engine, handler);

    await engine.submit(job);
    const ended = await untilEnded(engine, one);

    expect(ended.state).toBe("completed");
    expect(ran).toEqual(["one"]);
    expect(problems).toHaveLength(1);
  });

  it("that refuses to cancel a waiting job says so, and the job has its turn", async () => {
    let isFull = true;
    const link = (from: string, to: string) => (isFull && to.endsWith("ended/two.json") ? noSpace() : disk.link(from, to));
    const { engine } = await setUp({ disk: { ...disk, link } });
    const gate = createGate();
    await work(engine, gate.handler);
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
    const { engine, layout, folder } = await setUp({ onProblem: (problem) => problems.push(problem) });
    const gate = createGate();
    const worker = await work(engine, gate.handler);
    await engine.submit(job);
    await engine.submit({ ...job, id: "two" });
    await gate.next();
    await rm(layout.ended, { recursive: true });
    gate.open("one");

    const next = await gate.next();
    await mkdir(layout.ended);
    gate.open("two");
    await untilEnded(engine, "two");
    await worker.stop();
    const { handler, ran } = recorder();
    await work(createFileJobEngine({ folder }), handler);

    expect(next.job.id).toBe("two");
    expect(problems).toMatchObject([{ code: "home_unusable" }]);
    expect(await engine.get(one)).toMatchObject({ state: "failed", failure: { code: "interrupted" } });
    expect(ran).toEqual([]);
  });
});

async function setUp(options: Partial<FileJobEngineOptions> = {}) {
  const folder = await temporaryFolder();
  const layout = createEngineLayout(folder);
  const files = createJobFiles(layout, () => undefined);
  return { folder, layout, files, engine: createFileJobEngine({ folder, recheckMs: 10, ...options }) };
}

async function work(engine: ReturnType<typeof createFileJobEngine>, handler: JobHandler, attempts = 1): Promise<JobWorker> {
  const worker = await engine.work("test", { concurrency: 1, attempts }, handler);
  onTestFinished(async () => {
    await worker.stop();
  });
  return worker;
}

/** The files a crash leaves, by an earlier process. */
async function leave(files: ReturnType<typeof createJobFiles>, present: readonly string[]): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  const { id, kind, lane } = job;
  const end = { id, kind, lane, state: "completed", attempt: 0, submittedAt: at, startedAt: at, endedAt: at, failure: null } as const;
  await files.prepare();
  if (present.includes("end")) await files.end(end);
  if (present.includes("job")) await files.createJob({ ...job, order: 1, submittedAt: at });
  if (present.includes("lease")) await files.createLease(one, await leaseOf(1));
  if (present.includes("cancel")) await files.requestCancel(one, at);
}

const leaseOf = async (attempt: number) => ({
  attempt,
  runner: { ...(await identifyThisProcess()), started: "before" },
  startedAt: "2026-01-01T00:00:00.000Z",
  released: false,
});

/** One that lives and is not this one. */
async function anotherProcess(): Promise<ProcessIdentity> {
  return ProcessIdentity.parse(await identifyProcess(process.ppid));
}

const noSpace = () => Promise.reject(systemError("ENOSPC", "no space left on device, link"));
