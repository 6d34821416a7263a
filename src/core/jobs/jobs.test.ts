import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import { setJobsStage } from "./jobs-stage.testing.ts";

const a = MemberName.parse("a");
const id = (text: string) => JobId.parse(text);

describe("the list of jobs", () => {
  it("has those of all workers, newest first, with counts of all and those that are missing (REQ-WD-19)", async () => {
    const { jobs, worker } = setJobsStage("a", "b", "away", "broken");
    worker("a").put({ jobId: "a1", startedAt: "2026-01-01T10:00:00Z" });
    worker("a").put({ jobId: "a2", startedAt: "2026-01-03T10:00:00Z", status: "completed", questions: ["Which?", "When?"] });
    worker("b").put({ jobId: "b1", startedAt: "2026-01-02T10:00:00Z", status: "failed" });
    worker("away").missing = "It is away.";
    worker("broken").failure = new HallError("member_failed", "It is broken.");

    const { jobs: listed, counts, missing, nextCursor } = await jobs.list({ limit: 50 });
    const failed = await jobs.list({ limit: 50, status: ["failed", "cancelled"] });

    expect(listed.map(({ worker: name, jobId }) => `${name}/${jobId}`)).toEqual(["a/a2", "b/b1", "a/a1"]);
    expect(counts).toEqual({ running: 1, completed: 1, failed: 1, cancelled: 0, needsYou: 2 });
    expect(missing).toEqual([
      { worker: "away", jobs: "all", reason: "It is away." },
      { worker: "broken", jobs: "all", reason: "It is broken." },
    ]);
    expect(nextCursor).toBeNull();
    expect(failed.jobs.map(({ jobId }) => jobId)).toEqual(["b1"]);
    expect(failed.counts).toEqual(counts);
    expect((await jobs.list({ limit: 50, needsYou: true })).jobs.map(({ jobId }) => jobId)).toEqual(["a2"]);
  });

  it("is that of one worker where somebody asks for it: the others are not asked, and not missed", async () => {
    const { jobs, worker } = setJobsStage("a", "b", "away");
    worker("a").put({ jobId: "a1" });
    worker("b").put({ jobId: "b1" });
    worker("away").missing = "It is away.";

    const { jobs: listed, counts, missing } = await jobs.list({ limit: 50, worker: a });

    expect(listed.map(({ jobId }) => jobId)).toEqual(["a1"]);
    expect([counts.running, missing, worker("b").asked]).toEqual([1, [], []]);
  });

  it("has the jobs of all others where one worker refuses to list, and says of how many of its jobs one tells nonsense", async () => {
    const { jobs, worker } = setJobsStage("a", "strict", "garbled");
    worker("a").put({ jobId: "a1" });
    worker("strict").failure = new HallError("bad_request", "There is no parameter detail.");
    worker("garbled").put({ jobId: "g1" });
    worker("garbled").leftOut = 2;

    const { jobs: listed, missing } = await jobs.list({ limit: 50 });

    expect(listed.map(({ jobId }) => jobId).toSorted()).toEqual(["a1", "g1"]);
    expect(missing).toEqual([
      { worker: "strict", jobs: "all", reason: "There is no parameter detail." },
      { worker: "garbled", jobs: "some", reason: expect.stringContaining("of 2 of them makes no sense") as string },
    ]);
  });

  it("is read page by page, and what comes or goes meanwhile shifts nothing", async () => {
    const { jobs, worker, pass } = setJobsStage("a", "b");
    for (const name of ["a", "b"])
      for (let day = 1; day < 10; day += 1) worker(name).put({ jobId: `${name}${day}`, startedAt: `2026-01-0${day}T10:00:00Z` });

    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await jobs.list({ limit: 4, cursor });
      seen.push(...page.jobs.map(({ jobId }) => jobId));
      worker("a").put({ jobId: `later${seen.length}`, startedAt: "2026-02-01T10:00:00Z" });
      worker("a").jobs.delete(seen.at(-1) ?? "");
      await pass(1000);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }

    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].flatMap((day) => [`a${day}`, `b${day}`]));
    await expect(jobs.list({ limit: 4, cursor: "nonsense" })).rejects.toMatchObject({ code: "bad_request" });
  });

  it("leaves globs to the workers, and refuses one that none of them takes (REQ-WD-8)", async () => {
    const { jobs, worker } = setJobsStage("a", "b");
    worker("a").put({ jobId: "a1", description: "Prices of bread" });
    worker("a").put({ jobId: "a2", description: "Weather" });

    const { jobs: found, counts } = await jobs.list({ limit: 50, filter: "bread" });

    expect(found.map(({ jobId }) => jobId)).toEqual(["a1"]);
    expect(counts.running).toBe(2);
    worker("b").filterRefusal = new HallError("bad_request", "That is no glob.");
    const some = await jobs.list({ limit: 50, filter: "bread" });
    expect(some).toMatchObject({
      jobs: [{ jobId: "a1" }],
      missing: [{ worker: "b", reason: "It does not take this filter: That is no glob." }],
    });
    worker("a").filterRefusal = worker("b").filterRefusal;
    await expect(jobs.list({ limit: 50, filter: "[" })).rejects.toMatchObject({ code: "bad_request", message: "That is no glob." });
  });

  it("does not wait for ever for one worker", async () => {
    const { jobs, worker, pass } = setJobsStage("a", "b");
    worker("a").put({ jobId: "a1" });
    worker("b").mayAnswer = new Promise(() => undefined);

    const asked = jobs.list({ limit: 50 });
    await pass(5000);

    const { jobs: listed, missing } = await asked;
    expect(listed.map(({ jobId }) => jobId)).toEqual(["a1"]);
    expect(missing).toMatchObject([{ worker: "b", reason: expect.stringContaining("within 5 s") as string }]);
  });

  it("is asked for once by many at the same time, and anew after a change through the hall", async () => {
    const { jobs, worker } = setJobsStage("a");

    await Promise.all([jobs.list({ limit: 50 }), jobs.list({ limit: 50 })]);
    const atOnce = [...worker("a").asked];
    const { jobId } = await jobs.dispatch(a, { description: "Prices", task: "Find them." });
    const { jobs: listed } = await jobs.list({ limit: 50 });

    expect(atOnce).toEqual(["list"]);
    expect(listed.map((job) => job.jobId)).toEqual([jobId]);
  });

  it("is asked for again after half a second, and later where the answer took long", async () => {
    const { jobs, worker, pass } = setJobsStage("a");
    const { promise, resolve } = Promise.withResolvers<void>();
    const looksAfter = async (ms: number): Promise<number> => {
      await pass(ms);
      await jobs.list({ limit: 50 });
      return worker("a").asked.length;
    };
    await jobs.list({ limit: 50 });
    const ofQuickOne = [await looksAfter(500), await looksAfter(1)];

    worker("a").mayAnswer = promise;
    await pass(501);
    const slow = jobs.list({ limit: 50 });
    await pass(1000);
    resolve();
    await slow;
    const ofSlowOne = [await looksAfter(4000), await looksAfter(1)];

    expect([ofQuickOne, ofSlowOne]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("has what was dispatched while an earlier look was under way", async () => {
    const { jobs, worker, settle } = setJobsStage("a");
    const { promise, resolve } = Promise.withResolvers<void>();
    worker("a").mayAnswer = promise;

    const early = jobs.list({ limit: 50 });
    await settle();
    await jobs.dispatch(a, { description: "Prices", task: "Find them." });
    resolve();

    expect((await early).jobs).toEqual([]);
    expect((await jobs.list({ limit: 50 })).jobs.map(({ jobId }) => jobId)).toEqual(["new-1"]);
  });

  it("has times and questions also of a worker whose lists have none, each job being asked about once it has ended", async () => {
    const { jobs, worker, pass } = setJobsStage("a");
    worker("a").isTerse = true;
    worker("a").put({ jobId: "a1", status: "completed", questions: ["Which?"], startedAt: "2026-01-02T10:00:00Z" });
    worker("a").put({ jobId: "a2", startedAt: "2026-01-03T10:00:00Z" });

    await jobs.list({ limit: 50 });
    await pass(1000);
    const { jobs: listed } = await jobs.list({ limit: 50 });

    expect(listed).toMatchObject([
      { jobId: "a2", startedAt: "2026-01-03T10:00:00Z", openQuestions: 0 },
      { jobId: "a1", startedAt: "2026-01-02T10:00:00Z", openQuestions: 1 },
    ]);
    expect(worker("a").asked.filter((method) => method === "status")).toHaveLength(3);
  });
});

describe("a job that failed", () => {
  it("is hidden from lists and counts until it is shown again; others cannot be hidden", async () => {
    const { jobs, worker, events } = setJobsStage("a");
    worker("a").put({ jobId: "a1", status: "failed", questions: ["Which?"] });
    worker("a").put({ jobId: "a2" });

    const hidden = await jobs.hide(a, id("a1"));
    const without = await jobs.list({ limit: 50 });
    const all = await jobs.list({ limit: 50, hidden: true });
    const shown = await jobs.show(a, id("a1"));

    expect([hidden.hidden, shown.hidden]).toEqual([true, false]);
    expect(without).toMatchObject({ jobs: [{ jobId: "a2" }], counts: { failed: 0, needsYou: 0 } });
    expect(all.jobs.map((job) => [job.jobId, job.hidden])).toEqual([
      ["a1", true],
      ["a2", false],
    ]);
    expect(events).toEqual([
      { id: "a/a1", status: "failed" },
      { id: "a/a1", status: "failed" },
    ]);
    await expect(jobs.hide(a, id("a2"))).rejects.toMatchObject({ code: "conflict" });
    await expect(jobs.hide(a, id("none"))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a job that is deleted", () => {
  it("takes with it what the hall knew of it (REQ-WD-18)", async () => {
    const { jobs, worker, recordsOf } = setJobsStage("a");
    worker("a").put({ jobId: "a1", status: "failed" });
    await jobs.hide(a, id("a1"));
    worker("a").put({ jobId: "a1", status: "cancelled" });

    await jobs.remove(a, id("a1"));

    expect(recordsOf("a").size).toBe(0);
    await expect(jobs.get(a, id("a1"))).rejects.toMatchObject({ code: "not_found" });
  });

  it("does so also where an agent deletes it (REQ-WD-18)", async () => {
    const { jobs, worker, recordsOf, deleteAsAgent, settle } = setJobsStage("a");
    worker("a").put({ jobId: "a1", status: "failed" });
    await jobs.hide(a, id("a1"));
    worker("a").put({ jobId: "a1", status: "cancelled" });

    await deleteAsAgent("a", id("a1"));
    await settle();

    expect(recordsOf("a").size).toBe(0);
  });
});
