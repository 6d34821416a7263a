import { describe, expect, it } from "vitest";
import { JobId } from "../../schema/job.ts";
import type { Job, JobList } from "../../schema/job.ts";
import { MemberName } from "../../schema/ids.ts";
import { withFreshJobs, withNextJobs } from "./job-groups.ts";
import { askedOf, isInGroup, jobCountOf, jobsAddress, readJobsQuery } from "./jobs-query.ts";

const counts = { running: 1, completed: 2, failed: 3, cancelled: 4, needsYou: 5 };

const jobOf = (jobId: string): Job => ({
  worker: MemberName.parse("worker"),
  jobId: JobId.parse(jobId),
  status: "completed",
  description: jobId,
  summary: null,
  startedAt: null,
  completedAt: null,
  openQuestions: 0,
  usage: null,
  hidden: false,
});

const listOf = (ids: string, nextCursor: string | null): JobList => ({ jobs: ids.split("").map(jobOf), nextCursor, counts, missing: [] });
const idsOf = ({ jobs, nextCursor }: JobList): string => `${jobs.map(({ jobId }) => jobId).join("")}${nextCursor ?? ""}`;

describe("what the Jobs page shows", () => {
  it("is in its address, and what an address cannot mean is left out", () => {
    const address = "/jobs?show=failed&worker=researcher&q=*retry*&hidden=yes";
    const read = (url: string) => readJobsQuery((name) => new URL(url, "http://hall").searchParams.get(name));

    expect(jobsAddress(read(address))).toBe(address);
    expect(jobsAddress(read("/jobs?show=constructor&worker=../..&q=%20"))).toBe("/jobs");
  });

  it("asks for words anywhere, and for a glob as it is written", () => {
    const query = { show: "all", worker: "", words: "retry", hidden: false } as const;

    expect(askedOf(query, "waiting")).toEqual({ needsYou: true, filter: "*retry*" });
    expect(askedOf({ ...query, words: "retry?", worker: "researcher", hidden: true }, "failed")).toEqual({
      status: "failed",
      filter: "retry?",
      worker: "researcher",
      hidden: true,
    });
  });

  it("has a job that waits for the reader in one group alone", () => {
    const asking = { ...jobOf("a"), openQuestions: 1 };

    expect([isInGroup(asking, "waiting", { show: "all" }), isInGroup(asking, "ended", { show: "all" })]).toEqual([true, false]);
    expect(isInGroup(asking, "completed", { show: "completed" })).toBe(true);
    expect([jobCountOf("all", counts), jobCountOf("needs-you", counts), jobCountOf("failed", counts)]).toEqual([10, 5, 3]);
  });
});

describe("a list of jobs that is read page by page", () => {
  it("has a job once, though it is on two pages", () => {
    expect(idsOf(withNextJobs(listOf("ab", "1"), listOf("bc", null)))).toBe("abc");
  });

  it("is put right at its beginning, and keeps what was read behind that", () => {
    expect(idsOf(withFreshJobs(listOf("abcdef", "2"), listOf("xab", "1")))).toBe("xabcdef2");
    expect(idsOf(withFreshJobs(listOf("abc", "2"), listOf("xabc", "1")))).toBe("xabc1");
    expect(idsOf(withFreshJobs(listOf("abc", "2"), listOf("xyz", "1")))).toBe("xyz1");
    expect(idsOf(withFreshJobs(listOf("abcdef", "2"), listOf("ab", null)))).toBe("ab");
  });
});
