import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { JobDetail } from "../../schema/job.ts";
import type { JobEvent } from "../../schema/job.ts";
import { followJob } from "./follow-job.ts";
import type { Following } from "./follow-job.ts";

const detail = (more: object = {}): JobDetail =>
  JobDetail.parse({
    worker: "scribe",
    jobId: "tides",
    status: "running",
    description: "Tides",
    summary: null,
    questions: null,
    decisions: null,
    error: null,
    startedAt: "2026-01-01T00:00:00Z",
    completedAt: null,
    hidden: false,
    asked: [],
    offers: { events: true, artifacts: true },
    ...more,
  });

const said = (id: number): JobEvent => ({ id, at: "2026-01-01T00:00:00Z", type: "text", text: `word ${id}` });

/** A hall that gives two events per page, and answers each question about the job with the next of these. */
function follow(details: (JobDetail | Error)[], events: readonly JobEvent[] = [], signal = new AbortController().signal) {
  const told: string[] = [];
  const { worker, jobId } = detail();
  const jobs: Following["client"]["jobs"] = {
    async get() {
      const next = details.length > 1 ? details.shift() : details[0];
      if (next === undefined || next instanceof Error) throw next ?? new Error("nothing to answer");
      return next;
    },
    async events(_worker, _job, { after = 0 } = {}) {
      const later = events.filter(({ id }) => id > after);
      return { jobId, events: later.slice(0, 2), hasMore: later.length > 2 };
    },
  };
  const ended = followJob({
    client: { jobs },
    worker,
    jobId,
    signal,
    pauseMs: 1,
    awayMs: 1,
    onEvent: (event) => told.push(event.type === "text" ? event.text : event.type),
    onSummary: (summary) => told.push(`summary ${summary}`),
  });
  return { ended, told };
}

describe("following a job", () => {
  it("tells every event once, page by page, to its end", async () => {
    const { ended, told } = follow([detail(), detail(), detail({ status: "completed" })], [said(1), said(2), said(3)]);

    expect(await ended).toMatchObject({ status: "completed" });
    expect(told).toEqual(["word 1", "word 2", "word 3"]);
  });

  it("tells each new summary of a worker that tells no events", async () => {
    const offers = { events: false, artifacts: false };
    const steps = ["Reading", "Reading", "Writing"].map((summary) => detail({ offers, summary }));
    const { ended, told } = follow([...steps, detail({ offers, summary: "Writing", status: "failed", error: "No ink." })]);

    expect(await ended).toMatchObject({ status: "failed", error: "No ink." });
    expect(told).toEqual(["summary Reading", "summary Writing"]);
  });

  it("waits for a worker that is being started again", async () => {
    const away = new HallError("member_unavailable", "scribe is not connected.");
    const { ended } = follow([detail(), away, detail({ status: "completed" })]);

    expect(await ended).toMatchObject({ status: "completed" });
  });

  it("ends where the job is gone, and where its person leaves", async () => {
    const leaving = new AbortController();
    const gone = follow([detail(), new HallError("not_found", "There is no job tides.")]);
    const left = follow([detail()], [], leaving.signal);

    leaving.abort();

    await expect(gone.ended).rejects.toMatchObject({ code: "not_found" });
    await expect(left.ended).rejects.toMatchObject({ code: "interrupted" });
  });
});
