import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import type { JobEvent } from "../../schema/job.ts";
import { setJobsStage } from "./jobs-stage.testing.ts";

const a = MemberName.parse("a");
const job = JobId.parse("a1");

const said = (id: number): JobEvent => ({ id, at: "2026-01-01T00:00:00.000Z", type: "text", text: `Word ${id}.` });

describe("following a job", () => {
  it("tells what happened page by page, and then what happens, to its end", async () => {
    const { jobs, worker, pass } = setJobsStage("a");
    worker("a").put({ jobId: job, events: [1, 2, 3, 4, 5].map(said) });
    const told = read(await jobs.follow(a, job, { after: 1, signal: new AbortController().signal }));
    await pass(0);
    const before = [...told.seen];

    worker("a").put({ jobId: job, status: "completed", events: [4, 5, 6, 7, 8].map(said) });
    await pass(500);
    await told.ended;

    expect(before).toEqual(["2", "3", "4", "5"]);
    expect(told.seen).toEqual(["2", "3", "4", "5", "6", "7", "8", "completed"]);
  });

  it("ends with the reason where the worker is lost meanwhile", async () => {
    const { jobs, worker, pass, timers } = setJobsStage("a");
    worker("a").put({ jobId: job, events: [said(1)] });
    const told = read(await jobs.follow(a, job, { after: 0, signal: new AbortController().signal }));
    await pass(0);

    worker("a").failure = new HallError("member_unavailable", "It is away.");
    await Promise.all([expect(told.ended).rejects.toMatchObject({ code: "member_unavailable" }), pass(500)]);

    expect(told.seen).toEqual(["1"]);
    expect(timers.size).toBe(0);
  });

  it("asks the worker nothing more once nobody reads, however many read before (SEC-15)", async () => {
    const { jobs, worker, pass, timers } = setJobsStage("a");
    worker("a").put({ jobId: job, events: [said(1)] });
    const leaving = new AbortController();
    const follow = async () => read(await jobs.follow(a, job, { after: 0, signal: leaving.signal }));
    const readers = await Promise.all(Array.from({ length: 20 }, follow));
    await pass(2000);
    const before = worker("a").asked.length;

    leaving.abort();
    await Promise.all(readers.map(({ ended }) => ended));
    await pass(10_000);

    expect(worker("a").asked.length).toBe(before);
    expect(timers.size).toBe(0);
  });
});

/** Ids of what is told, and the status at the end. */
function read(events: Awaited<ReturnType<ReturnType<typeof setJobsStage>["jobs"]["follow"]>>) {
  const seen: string[] = [];
  const readAll = async () => {
    for await (const event of events) seen.push(event.event === "done" ? event.data.status : (event.id ?? ""));
  };
  return { seen, ended: readAll() };
}
