import { describe, expect, it } from "vitest";
import { MemberName } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import { pageOf, placedJob } from "./job-page.ts";

const worker = MemberName.parse("a");

describe("a page of jobs", () => {
  it("looks at no more of very many than it shows, and at one to know whether there are more", () => {
    let looked = 0;
    const jobs = function* () {
      for (let at = 10_000; at > 0; at -= 1) {
        looked += 1;
        yield placedJob(worker, { jobId: JobId.parse(`job-${at}`), status: "completed", description: "", summary: null, at });
      }
    };

    const first = pageOf([jobs()], { limit: 50 });

    expect(looked).toBe(51);
    expect([first.jobs.length, first.jobs[0]?.jobId, first.nextCursor]).toEqual([50, "job-10000", "9951.a.job-9951"]);
  });
});
