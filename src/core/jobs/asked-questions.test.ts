import { expect, it } from "vitest";
import { JobId } from "../../schema/job.ts";
import { askedQuestions } from "./asked-questions.ts";
import { emptyRecord } from "./job-records.ts";

it("very many questions of a job are counted in one pass (SEC-15)", () => {
  const questions = Array.from({ length: 60_000 }, (_, at) => `Question ${at % 40_000}?`);
  const began = performance.now();

  const asked = askedQuestions({ jobId: JobId.parse("job-1"), questions }, emptyRecord);

  expect(asked).toHaveLength(40_000);
  // Counting each one by itself takes about ten seconds.
  expect(performance.now() - began).toBeLessThan(2_000);
});
