import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { setJobsStage } from "./jobs-stage.testing.ts";

const a = MemberName.parse("a");
const looks = ({ asked }: { asked: string[] }) => asked.filter((method) => method === "list").length;

describe("the hall looks at jobs", () => {
  it("every 2 s while one runs, seldom while none does, and not at all where nobody listens", async () => {
    const { jobs, stage, worker, pass, timers } = setJobsStage("a");
    worker("a").put({ jobId: "a1" });

    jobs.wake();
    await pass(60_000);
    const unheard = looks(worker("a"));
    stage.isHeard = true;
    jobs.wake();
    await pass(10_000);
    const whileRunning = looks(worker("a"));
    worker("a").put({ jobId: "a1", status: "completed" });
    await pass(2000);
    const before = looks(worker("a"));
    await pass(30_000);
    const whileQuiet = looks(worker("a")) - before;
    stage.isHeard = false;
    await pass(30_000);

    expect([unheard, whileRunning, whileQuiet]).toEqual([0, 6, 3]);
    expect(timers.size).toBe(0);
  });

  it("once for many pages that open together, however long the answer takes", async () => {
    const { jobs, stage, worker, pass, settle } = setJobsStage("a");
    stage.isHeard = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    worker("a").mayAnswer = promise;

    for (let page = 0; page < 200; page += 1) jobs.wake();
    await settle();
    resolve();
    await pass(0);
    for (let page = 0; page < 200; page += 1) jobs.wake();
    await pass(0);

    expect(looks(worker("a"))).toBe(1);
  });

  it("and tells each change once: what began, went on, asked, ended and is gone", async () => {
    const { jobs, stage, worker, events, pass } = setJobsStage("a");
    worker("a").put({ jobId: "old", status: "completed" });
    worker("a").put({ jobId: "a1" });
    stage.isHeard = true;
    jobs.wake();
    await pass(4000);
    const atFirst = [...events];

    worker("a").put({ jobId: "a1", summary: "Half way." });
    await pass(2000);
    worker("a").put({ jobId: "a1", questions: ["Which?"] });
    await pass(2000);
    worker("a").put({ jobId: "a1", status: "completed", questions: ["Which?", "When?"] });
    worker("a").put({ jobId: "quick", status: "failed" });
    await pass(2000);
    worker("a").jobs.delete("old");
    await pass(20_000);

    expect(atFirst).toEqual([]);
    expect(events).toEqual([
      { id: "a/a1", status: "running" },
      { id: "a/a1", status: "running", change: "asked" },
      { id: "a/a1", status: "completed", change: "asked" },
      { id: "a/a1", status: "completed", change: "ended" },
      { id: "a/quick", status: "failed", change: "ended" },
      { id: "a/old", status: null },
    ]);
  });

  it("at once after a change through the hall, and when a worker comes", async () => {
    const { jobs, stage, worker, events, pass, settle, tellComing } = setJobsStage("a");
    stage.isHeard = true;
    jobs.wake();
    await settle();
    const before = looks(worker("a"));

    await jobs.dispatch(a, { description: "Prices", task: "Find them." });
    await settle();
    const afterDispatch = looks(worker("a")) - before;
    tellComing("a");
    await pass(0);
    const afterComing = looks(worker("a")) - before - afterDispatch;
    tellComing("somebody-without-jobs");
    await pass(0);

    expect([afterDispatch, afterComing]).toEqual([1, 1]);
    expect(looks(worker("a"))).toBe(before + 2);
    expect(events).toContainEqual({ id: "a/new-1", status: "running" });
  });

  it("and goes on after a worker that failed", async () => {
    const { jobs, stage, worker, events, pass } = setJobsStage("a", "b");
    worker("a").put({ jobId: "a1" });
    worker("b").put({ jobId: "b1" });
    stage.isHeard = true;
    jobs.wake();
    await pass(2000);

    worker("a").failure = new HallError("member_failed", "It is broken.");
    worker("b").put({ jobId: "b1", status: "completed" });
    await pass(2000);
    worker("a").failure = null;
    worker("a").put({ jobId: "a1", status: "failed" });
    await pass(2000);

    expect(events).toEqual([
      { id: "b/b1", status: "completed", change: "ended" },
      { id: "a/a1", status: "failed", change: "ended" },
    ]);
  });

  it("on its own each: one that does not answer keeps nobody from news of the others, and is asked again soon", async () => {
    const { jobs, stage, worker, events, pass } = setJobsStage("a", "hung");
    worker("a").put({ jobId: "a1" });
    worker("hung").put({ jobId: "h1" });
    stage.isHeard = true;
    const { promise, reject } = Promise.withResolvers<void>();
    worker("hung").mayAnswer = promise;
    jobs.wake();
    await pass(30_000);
    const meanwhile = looks(worker("a"));

    worker("a").put({ jobId: "a1", status: "completed" });
    await pass(2000);
    reject(new HallError("tool_timeout", "It gave no answer."));
    worker("hung").mayAnswer = Promise.resolve();
    await pass(30_000);

    expect(meanwhile).toBe(16);
    expect(events).toContainEqual({ id: "a/a1", status: "completed", change: "ended" });
    expect(looks(worker("hung"))).toBe(2);
  });

  it("and takes no questions for new that it only learns of", async () => {
    const { jobs, stage, worker, events, pass } = setJobsStage("a");
    worker("a").isTerse = true;
    // More than are asked about at one look.
    for (let count = 0; count < 30; count += 1) worker("a").put({ jobId: `a${count}`, status: "completed", questions: ["Which?"] });
    stage.isHeard = true;
    jobs.wake();
    await pass(20_000);
    worker("a").put({ jobId: "new", questions: ["Which?"] });
    await pass(10_000);

    expect(events.filter(({ change }) => change === "asked")).toEqual([{ id: "a/new", status: "running", change: "asked" }]);
  });

  it("never again once it is closed", async () => {
    const { jobs, stage, worker, pass, timers } = setJobsStage("a");
    worker("a").put({ jobId: "a1" });
    stage.isHeard = true;
    jobs.wake();
    await pass(2000);
    const before = looks(worker("a"));

    jobs.close();
    jobs.wake();
    await pass(10_000);

    expect(looks(worker("a"))).toBe(before);
    expect(timers.size).toBe(0);
  });
});
