import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { DispatchJob, JobId } from "../../schema/job.ts";
import { emptyRecord } from "./job-records.ts";
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
      { question, isOpen: false, answer: { text: "Euro.", followUp: "new-1" } },
      { question: "And when?", isOpen: true, answer: null },
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
    const { openQuestions, asked } = await jobs.get(a, asking);
    expect([openQuestions, asked[0]]).toMatchObject([3, { isOpen: true, answer: { text: "Euro.", followUp: null } }]);
    worker("a").refusal = null;
    expect(await jobs.answer(a, asking, { question, answer: "Euro, of course." })).toMatchObject({ followUp: "new-1" });
    expect(dispatched[0]?.task).toContain("Euro, of course.");
  });

  it("finds the follow-up again that was dispatched just before the hall died", async () => {
    const { jobs, recordsOf, dispatched, putRecord } = setStage();
    await jobs.answer(a, asking, { question, answer: "Euro." });
    // As the record stood between the dispatch and its id.
    putRecord("a", asking, {
      ...emptyRecord,
      answers: [{ question, answer: "Euro.", at: "2026-01-01T00:00:00.000Z", times: 2, followUp: null }],
    });

    const again = await jobs.answer(a, asking, { question, answer: "Euro." });

    expect(again.followUp).toBe("new-1");
    expect(dispatched).toHaveLength(1);
    expect(recordsOf("a").get(asking)?.answers).toMatchObject([{ followUp: "new-1" }]);
  });

  it("dispatches no second job where another answer comes after one that arrived, though nobody heard that it did", async () => {
    const { jobs, worker, recordsOf, dispatched } = setStage();
    worker("a").lateness = new HallError("tool_timeout", "It gave no answer.");
    await expect(jobs.answer(a, asking, { question, answer: "Euro." })).rejects.toMatchObject({ code: "tool_timeout" });
    worker("a").lateness = null;

    const edited = jobs.answer(a, asking, { question, answer: "Euro, of course." });

    await expect(edited).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("job new-1") as string });
    expect(dispatched).toHaveLength(1);
    expect(recordsOf("a").get(asking)?.answers).toMatchObject([{ answer: "Euro.", followUp: "new-1" }]);
    expect((await jobs.get(a, asking)).asked[0]).toMatchObject({ isOpen: false, answer: { text: "Euro." } });
  });

  it("does not take the follow-up of a job of the same name for its own", async () => {
    const { jobs, worker, dispatched } = setStage();
    const twin = JobId.parse("twin");
    worker("a").put({ jobId: twin, description: "Prices", questions: [question] });
    worker("a").refusal = new HallError("member_unavailable", "It is away.");
    await expect(jobs.answer(a, asking, { question, answer: "Euro." })).rejects.toMatchObject({ code: "member_unavailable" });
    worker("a").refusal = null;
    await jobs.answer(a, twin, { question, answer: "Dollar." });

    expect(await jobs.answer(a, asking, { question, answer: "Euro." })).toMatchObject({ followUp: "new-2" });
    expect(dispatched[1]?.task).toContain("Euro.");
  });

  it("is asked for again where the job asks the same once more", async () => {
    const { jobs, worker, dispatched } = setStage();
    await jobs.answer(a, asking, { question, answer: "Euro." });
    worker("a").put({ jobId: asking, questions: [question, question, question] });

    const { asked, openQuestions } = await jobs.get(a, asking);
    await jobs.answer(a, asking, { question, answer: "Dollar, then." });

    expect([asked[0]?.isOpen, openQuestions]).toEqual([true, 1]);
    expect(dispatched).toHaveLength(2);
    expect((await jobs.get(a, asking)).openQuestions).toBe(0);
  });

  it("is not dispatched where it cannot be kept", async () => {
    const { jobs, stage, dispatched } = setStage();
    stage.failRecords = new HallError("disk_full", "The disk is full.");

    await expect(jobs.answer(a, asking, { question, answer: "Euro." })).rejects.toMatchObject({ code: "disk_full" });
    expect(dispatched).toEqual([]);
  });
});

describe("a question that a person dismisses", () => {
  it("needs nobody any more, and may be answered after all", async () => {
    const { jobs, events, recordsOf } = setStage();

    const dismissed = await jobs.dismiss(a, asking, question);

    expect(dismissed.openQuestions).toBe(1);
    expect((await jobs.get(a, asking)).asked).toMatchObject([
      { question, isOpen: false, answer: null, dismissedAt: expect.any(String) as string },
      { question: "And when?", isOpen: true, dismissedAt: null },
    ]);
    expect((await jobs.list({ limit: 50 })).counts.needsYou).toBe(1);
    expect(recordsOf("a").get(asking)?.dismissed).toMatchObject([{ question, times: 2 }]);
    expect(events).toEqual([{ id: `a/${asking}`, status: "completed" }]);
    await expect(jobs.dismiss(a, asking, "Who?")).rejects.toMatchObject({ code: "conflict" });

    await jobs.answer(a, asking, { question, answer: "Euro." });
    expect(await jobs.get(a, asking)).toMatchObject({ openQuestions: 1, asked: [{ answer: { followUp: "new-1" } }, {}] });
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
