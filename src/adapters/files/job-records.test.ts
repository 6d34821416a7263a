import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { MemberName } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import { createJobRecords } from "./job-records.ts";
import { createLayout } from "./layout.ts";

const worker = MemberName.parse("researcher");
const jobId = JobId.parse("d2719ab3-0001-4000-8000-000000000001");
const answer = { question: "Which?", answer: "That.", at: "2026-01-01T00:00:00.000Z", times: 1, followUp: null };
const dismissal = { question: "When?", at: "2026-01-01T00:00:00.000Z", times: 1 };

describe("what the hall keeps about jobs", () => {
  it("survives the hall, is for its owner only, and goes with the job (SEC-16)", async () => {
    const { layout, open } = await setRecords();
    const records = open();

    await Promise.all([
      records.change(worker, jobId, (record) => ({ ...record, hidden: true })),
      records.change(worker, jobId, (record) => ({ ...record, answers: [...record.answers, answer] })),
      records.change(worker, jobId, (record) => ({ ...record, dismissed: [dismissal] })),
    ]);
    const later = open();
    const kept = (await later.all(worker)).get(jobId);
    const { mode } = await stat(layout.jobRecord(worker, jobId));
    await later.forget(worker, jobId);
    await later.forget(worker, jobId);

    expect(kept).toEqual({ hidden: true, answers: [answer], dismissed: [dismissal] });
    expect(mode & 0o777).toBe(0o600);
    expect((await later.all(worker)).size).toBe(0);
    expect((await open().all(worker)).size).toBe(0);
  });

  it("is left as it is where somebody broke it, and the rest is read", async () => {
    const { layout, open, problems } = await setRecords();
    const other = JobId.parse("other");
    await open().change(worker, other, (record) => ({ ...record, hidden: true }));
    const path = layout.jobRecord(worker, jobId);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "{ broken");
    await writeFile(`${dirname(path)}/..not-a-job.json`, "{}");

    const records = open();
    const known = await records.all(worker);

    expect([...known.keys()]).toEqual([other]);
    expect(problems).toMatchObject([{ code: "file_broken" }]);
    await expect(records.change(worker, jobId, (record) => ({ ...record, hidden: true }))).rejects.toMatchObject({ code: "file_broken" });
    expect(await readFile(path, "utf8")).toBe("{ broken");
  });
});

async function setRecords() {
  const layout = createLayout(await temporaryFolder());
  const problems: unknown[] = [];
  return { layout, problems, open: () => createJobRecords({ layout, onProblem: (error) => problems.push(error) }) };
}
