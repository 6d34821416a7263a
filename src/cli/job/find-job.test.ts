import { describe, expect, it } from "vitest";
import { Job } from "../../schema/job.ts";
import { findJob } from "./find-job.ts";

const job = (jobId: string, more: Partial<Record<keyof Job, unknown>> = {}): Job =>
  Job.parse({
    worker: "researcher",
    jobId,
    status: "completed",
    description: `About ${jobId}`,
    summary: null,
    startedAt: null,
    completedAt: null,
    openQuestions: 0,
    usage: null,
    hidden: false,
    ...more,
  });

/** A hall that gives one job per page. */
const hallWith = (...jobs: Job[]): Parameters<typeof findJob>[0] => ({
  async list({ cursor = "0" } = {}) {
    const at = Number(cursor);
    const counts = { running: 0, completed: 0, failed: 0, cancelled: 0, needsYou: 0 };
    return { jobs: jobs.slice(at, at + 1), nextCursor: at + 1 < jobs.length ? String(at + 1) : null, counts, missing: [] };
  },
});

const uuid = "3f0c9d8e-1111-4222-8333-444455556666";

describe("the job a person means", () => {
  const hall = hallWith(job("tides-1"), job("tides-12"), job(uuid), job("moon", { status: "failed", hidden: true }));

  it.each([
    ["by its whole id, though another begins with it", "tides-1", "tides-1"],
    ["by the beginning of its id, on whatever page it is", "3f0c", uuid],
    ["also where it is hidden", "mo", "moon"],
  ])("is found %s", async (_how, wanted, jobId) => {
    expect(await findJob(hall, "researcher", wanted)).toEqual({ worker: "researcher", jobId });
  });

  it("needs no list where the id is whole", async () => {
    const silent = { list: () => Promise.reject(new Error("nobody asked")) };

    expect(await findJob(silent, "researcher", uuid)).toEqual({ worker: "researcher", jobId: uuid });
  });

  it("is asked for again with all that fit where there are several", async () => {
    await expect(findJob(hall, "researcher", "tides")).rejects.toThrow(
      '"tides" may be any of 2 jobs. Use more of the id of one:\n  tides-1   completed  About tides-1\n  tides-12  completed  About tides-12',
    );
  });

  it.each([
    ["none fits", "researcher", "sun", "not_found"],
    ["the id is none", "researcher", "../moon", "bad_request"],
    ["the worker's name is none", "Researcher", "moon", "bad_request"],
  ])("is refused where %s", async (_why, worker, wanted, code) => {
    await expect(findJob(hall, worker, wanted)).rejects.toMatchObject({ code });
  });

  it("is not called unknown where its worker could not be asked", async () => {
    const { jobs: _jobs, ...empty } = await hallWith().list();
    const away = {
      list: async () => ({ ...empty, jobs: [], missing: [{ worker: job("a").worker, jobs: "all" as const, reason: "It is starting." }] }),
    };

    await expect(findJob(away, "researcher", "moon")).rejects.toMatchObject({
      code: "member_unavailable",
      message: "researcher could not be asked: It is starting.",
    });
  });
});
