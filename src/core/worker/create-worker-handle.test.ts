import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { JobId } from "../../schema/job.ts";
import { createWorkerHandle } from "./create-worker-handle.ts";

const jobId = JobId.parse("job-1");
const offers = { events: true, artifacts: true };
const aStatus = { jobId, status: "failed", description: "Prices", startedAt: "2026-01-01T00:00:00.000Z" };

describe("a worker handle", () => {
  it("sends each method with its parameters and answers what the worker said (REQ-WD-35)", async () => {
    const { handle, asked } = setHandle({
      "worker/dispatch": { jobId },
      "worker/list": { jobs: [{ jobId, status: "running", description: "Prices", summary: null }] },
      "worker/status": aStatus,
      "worker/result": { jobId, output: "42", artifacts: null },
      "worker/cancel": { jobId, status: "cancelled" },
      "worker/delete": { jobId, deleted: true },
      "worker/events": { jobId, events: [], hasMore: false },
      "worker/artifact": { jobId, path: "a.md", size: 0, data: "" },
    });

    await handle.dispatch({ description: "Prices", task: "Find them.", config: { maxTurns: 3 } });
    const found = await handle.find("*ice*");
    const status = await handle.status(jobId);
    await handle.list();
    await handle.result(jobId);
    await handle.cancel(jobId);
    await handle.delete(jobId);
    await handle.events(jobId, 7);
    await handle.artifact(jobId, "a.md");

    expect(asked).toEqual([
      ["worker/dispatch", { description: "Prices", task: "Find them.", config: { maxTurns: 3 } }],
      ["worker/list", { detail: "simple", filter: "*ice*" }],
      ["worker/status", { jobId }],
      ["worker/list", { detail: "detailed" }],
      ["worker/result", { jobId }],
      ["worker/cancel", { jobId }],
      ["worker/delete", { jobId }],
      ["worker/events", { jobId, after: 7 }],
      ["worker/artifact", { jobId, path: "a.md" }],
    ]);
    expect(found).toEqual(new Set([jobId]));
    expect(status).toMatchObject({ summary: null, questions: null, decisions: null, error: null, completedAt: null });
  });

  it.each(["result", "cancel", "delete"] as const)(
    "tells a job that is not there from one that is not in the right state: %s (REQ-WD-14, REQ-WD-17, REQ-WD-46)",
    async (method) => {
      const there = setHandle({ "worker/status": aStatus });
      const gone = setHandle({});

      await expect(there.handle[method](jobId)).rejects.toMatchObject({ code: "conflict", message: "It will not have it." });
      await expect(gone.handle[method](jobId)).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringContaining("no job job-1") as string,
      });
    },
  );

  it("takes the refusal of a dispatch for a mistake of whoever asked, and that of a file for one that is not there (REQ-WD-35)", async () => {
    const { handle } = setHandle({ "worker/status": aStatus });

    await expect(handle.dispatch({ description: "x", task: "y" })).rejects.toMatchObject({ code: "bad_request" });
    await expect(handle.artifact(jobId, "none.md")).rejects.toMatchObject({ code: "not_found" });
  });

  it("leaves out what makes no sense in a list, and refuses an id that could not be the name of a file (REQ-WD-7)", async () => {
    const { handle } = setHandle({
      "worker/list": {
        jobs: [{ jobId, status: "running", startedAt: null }, { jobId: "../up", status: "running" }, "?", { jobId, status: "asleep" }],
      },
      "worker/dispatch": { jobId: "../up" },
    });

    const { jobs, leftOut } = await handle.list();

    expect(jobs).toEqual([{ jobId, status: "running", description: "", summary: null }]);
    expect(leftOut).toBe(3);
    await expect(handle.dispatch({ description: "x", task: "y" })).rejects.toMatchObject({
      code: "member_failed",
      message: expect.stringContaining("worker/dispatch makes no sense: jobId") as string,
    });
  });

  it("leaves out events it does not know, and a page of nothing else is the last", async () => {
    const at = "2026-01-01T00:00:00.000Z";
    const text = { id: 1, at, type: "text", text: "Hello." };
    const { handle, answer } = setHandle({ "worker/events": { jobId, events: [text, { id: 2, at, type: "dream" }], hasMore: true } });

    const some = await handle.events(jobId, 0);
    answer("worker/events", { jobId, events: [{ id: 2, at, type: "dream" }], hasMore: true });
    const none = await handle.events(jobId, 1);

    expect(some).toEqual({ jobId, events: [text], hasMore: true });
    expect(none).toEqual({ jobId, events: [], hasMore: false });
  });

  it("cuts what is too long for a page, and says how much it left out (SEC-15)", async () => {
    const long = "x".repeat(4_000_000);
    const decision = { question: "q", decision: "d", reasoning: "r" };
    const { handle } = setHandle({
      "worker/list": { jobs: [{ jobId, status: "running", description: long, summary: long }] },
      "worker/status": {
        ...aStatus,
        description: long,
        summary: long,
        error: long,
        task: long,
        config: { a: long },
        startedAt: long,
        questions: [long, ...Array<string>(60_000).fill("Why?")],
        decisions: Array(20_000).fill(decision),
      },
      "worker/result": { jobId, output: long, artifacts: Array.from({ length: 50_000 }, (_, at) => `artifacts/${at}.md`) },
    });

    const { jobs } = await handle.list();
    const status = await handle.status(jobId);
    const result = await handle.result(jobId);

    expect(jobs[0]?.description).toMatch(/^x{2000}\n\n\[Cut here: it has 4,000,000 characters, and at most 2,000 are shown\.\]$/);
    expect([jobs[0]?.description, jobs[0]?.summary]).toEqual([status.description, status.summary]);
    expect(status.questions).toHaveLength(501);
    expect(status.questions?.at(-1)).toMatch(/^\[Left out: 59,501 of 60,001 questions\./);
    expect(status.decisions?.slice(-2)).toEqual([
      decision,
      { question: expect.stringMatching(/^\[Left out: 19,500 of 20,000 decisions\./) as string, decision: "", reasoning: "" },
    ]);
    expect(result.artifacts?.slice(-1)).toEqual(["artifacts/499.md"]);
    expect(result.output).toMatch(/\n\n\[Left out: 49,500 of 50,000 artifacts\./);
    expect(JSON.stringify([jobs, status, result.artifacts]).length).toBeLessThan(2_000_000);
    expect(result.output.startsWith(long)).toBe(true);
  });

  it("leaves out long entries of a list where all together are too long", async () => {
    const long = "x".repeat(4_000_000);
    const { handle } = setHandle({
      "worker/status": { ...aStatus, questions: Array(100).fill(long) },
      "worker/result": { jobId, output: "42", artifacts: ["a.md", long, "b.md"] },
    });

    const status = await handle.status(jobId);
    const result = await handle.result(jobId);

    expect(JSON.stringify(status.questions).length).toBeLessThan(510_000);
    expect(status.questions?.at(-1)).toMatch(/^\[Left out: 76 of 100 questions\./);
    expect(result).toMatchObject({ artifacts: ["a.md", "b.md"], output: expect.stringContaining("1 of 3 artifacts") as string });
  });

  it("asks for nothing that the worker has not announced", async () => {
    const { handle, asked } = setHandle({}, { events: false, artifacts: false });

    await expect(handle.events(jobId, 0)).rejects.toMatchObject({ code: "conflict" });
    await expect(handle.artifact(jobId, "a.md")).rejects.toMatchObject({ code: "conflict" });
    expect(asked).toEqual([]);
  });
});

/** A worker that answers so, and refuses everything else. */
function setHandle(said: Record<string, object>, announced = offers) {
  const asked: [string, unknown][] = [];
  const handle = createWorkerHandle({
    member: "played",
    async ask(method, params) {
      asked.push([method, params]);
      const answer = said[method];
      if (answer === undefined) throw new HallError("bad_request", "It will not have it.");
      return answer;
    },
    offers: () => announced,
  });
  return { handle, asked, answer: (method: string, so: object) => (said[method] = so) };
}
