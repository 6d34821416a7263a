import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { DispatchJob, JobId } from "../../schema/job.ts";
import { setJobsStage } from "./jobs-stage.testing.ts";

const a = MemberName.parse("a");
const asking = JobId.parse("asking");
const question = "Which currency?";

describe("an answer to a question of a job", () => {
  it("dispatches a follow-up that carries task, question and answer, and the question needs nobody any more (REQ-WD-12)", async () => {
    const { jobs, recordsOf, dispatched } = setStage();

    const answered = await jobs.answer(a, asking, { question, answer: "Euro." });

    const [job] = dispatched;
    expect(answered).toEqual({ jobId: asking, followUp: "new-1" });
    expect(DispatchJob.parse(job)).toEqual(job);
    expect(job?.description).toBe("Prices (answer to: Which currency?)");
    for (const part of ["Prices", "Find all prices.", question, "Euro.", "Bread costs 3.", "do not ask"]) expect(job?.task).toContain(part);
    expect(job?.config).toEqual({ maxTurns: 5 });
    expect(recordsOf("a").get(asking)).toMatchObject({ answers: [{ question, answer: "Euro.", followUp: "new-1", times: 2 }] });
    const detail = await jobs.get(a, asking);
    expect(detail.asked).toMatchObject([
      { question, answer: { text: "Euro.", followUp: "new-1" } },
      { question: "And when?", answer: null },
    ]);
    expect(detail.openQuestions).toBe(1);
    const { jobs: listed } = await jobs.list({ limit: 50 });
    expect(listed.map(({ jobId, openQuestions }) => [jobId, openQuestions])).toContainEqual([asking, 1]);
  });

  it("dispatches nothing for a second click, and another answer comes too late", async () => {
    const { jobs, dispatched } = setStage();

    const both = await Promise.all([
      jobs.answer(a, asking, { question, answer: "Euro." }),
      jobs.answer(a, asking, { question, answer: "Euro." }),
    ]);

    expect(both[0]).toEqual(both[1]);
    expect(dispatched).toHaveLength(1);
    await expect(jobs.answer(a, asking, { question, answer: "Dollar." })).rejects.toMatchObject({ code: "conflict" });
    await expect(jobs.answer(a, asking, { question: "Who?", answer: "Me." })).rejects.toMatchObject({ code: "conflict" });
    expect(dispatched).toHaveLength(1);
  });

  it("is kept before anything is dispatched, so a worker that is away is asked again later", async () => {
    const { jobs, worker, recordsOf, dispatched } = setStage();
    const away = new HallError("member_unavailable", "It is away.");
    worker("a").refusal = away;

    const failing = jobs.answer(a, asking, { question, answer: "Euro." });

    await expect(failing).rejects.toBe(away);
    expect(recordsOf("a").get(asking)?.answers).toMatchObject([{ answer: "Euro.", followUp: null }]);
    expect((await jobs.get(a, asking)).openQuestions).toBe(3);
    worker("a").refusal = null;
    expect(await jobs.answer(a, asking, { question, answer: "Euro, of course." })).toMatchObject({ followUp: "new-1" });
    expect(dispatched[0]?.task).toContain("Euro, of course.");
  });

  it("finds the follow-up again that was dispatched just before the hall died", async () => {
    const { jobs, recordsOf, dispatched, putRecord } = setStage();
    await jobs.answer(a, asking, { question, answer: "Euro." });
    // As the record stood between the dispatch and its id.
    putRecord("a", asking, {
      hidden: false,
      answers: [{ question, answer: "Euro.", at: "2026-01-01T00:00:00.000Z", times: 2, followUp: null }],
    });

    const again = await jobs.answer(a, asking, { question, answer: "Euro." });

    expect(again.followUp).toBe("new-1");
    expect(dispatched).toHaveLength(1);
    expect(recordsOf("a").get(asking)?.answers).toMatchObject([{ followUp: "new-1" }]);
  });

  it("is not dispatched where it cannot be kept", async () => {
    const { jobs, stage, dispatched } = setStage();
    stage.failRecords = new HallError("disk_full", "The disk is full.");

    await expect(jobs.answer(a, asking, { question, answer: "Euro." })).rejects.toMatchObject({ code: "disk_full" });
    expect(dispatched).toEqual([]);
  });
});

function setStage() {
  const stage = setJobsStage("a");
  const worker = stage.worker("a");
  worker.put({
    jobId: asking,
    status: "completed",
    description: "Prices",
    task: "Find all prices.",
    config: { maxTurns: 5 },
    questions: [question, "And when?", question],
    output: "Bread costs 3.",
  });
  return { ...stage, dispatched: worker.dispatched };
}
