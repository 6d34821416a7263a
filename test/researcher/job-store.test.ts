import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMeta } from "../../guild-members/researcher/job-files.ts";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobStore } from "../../guild-members/researcher/job-store.ts";
import { openJob } from "../../guild-members/researcher/open-job.ts";
import { readQuestions, tidyQuestion, writeQuestions } from "../../guild-members/researcher/question-list.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { readEvents } from "../../guild-members/researcher/timeline.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const defaults = readSettings({}).job;
const open = (store: JobStore, id: string) => openJob(store, id, () => undefined);

describe("the store of jobs", () => {
  it("makes a folder per job with files that people can read (REQ-WD-20, REQ-WD-21)", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(folder, defaults, () => new Date("2026-01-02T03:04:05Z"));

    const id = await store.create("Tides", "Why are there tides?", { maxTurns: 7 });
    const job = await open(store, id);
    await job.writeSummary("  Reading.  ");
    await job.addQuestion("Which coast?");
    await job.addDecision({ question: "How deep?", decision: "Shallow", reasoning: "Time." });
    await job.writeArtifact("table.csv", "a,b");
    await job.submitResult("# The moon");

    const file = (name: string) => readFile(join(folder, id, name), "utf8");
    expect((await readdir(join(folder, id))).toSorted()).toEqual([
      "artifacts",
      "config.json",
      "decisions.json",
      "meta.json",
      "questions.md",
      "result.md",
      "sdk",
      "status.md",
      "task.md",
      "timeline.jsonl",
    ]);
    expect(await file("task.md")).toBe("Why are there tides?");
    expect(JSON.parse(await file("config.json"))).toEqual({ maxTurns: 7 });
    expect(JSON.parse(await file("meta.json"))).toMatchObject({
      id,
      status: "running",
      description: "Tides",
      startedAt: "2026-01-02T03:04:05.000Z",
      openQuestions: 1,
    });
    expect(await file("status.md")).toBe("Reading.\n");
    expect(await file("questions.md")).toBe("- Which coast?\n");
    expect(JSON.parse(await file("decisions.json"))).toEqual([{ question: "How deep?", decision: "Shallow", reasoning: "Time." }]);
    expect(await file("artifacts/table.csv")).toBe("a,b");
    expect(await file("result.md")).toBe("# The moon");
    const { events } = await readEvents(store.files.timeline(id), 0);
    expect(events.map(({ type }) => type)).toEqual(["status", "progress", "question", "decision", "artifact"]);
  });

  it("knows after a restart what it knew before, newest first", async () => {
    const folder = await temporaryFolder();
    let clock = 0;
    const store = await openJobStore(folder, defaults, () => new Date((clock += 1000)));
    const ids = [await store.create("first", "a", {}), await store.create("second", "b", {}), await store.create("third", "c", {})];
    await (await open(store, ids[0] ?? "")).writeSummary("One line\nand another");
    await store.finish(ids[1] ?? "", "failed", "It broke.");

    const again = await openJobStore(folder, defaults);

    const known = (one: JobStore) => one.list().map(({ meta, summary }) => ({ meta, summary }));
    expect(known(again)).toEqual(known(store));
    expect(again.list().map(({ meta }) => meta.description)).toEqual(["third", "second", "first"]);
    expect(again.find(ids[1] ?? "")?.meta).toMatchObject({ status: "failed", error: "It broke." });
  });

  it("ends a job once: the first end counts", async () => {
    const store = await openJobStore(await temporaryFolder(), defaults);
    const id = await store.create("A job", "a task", {});

    const ends = await Promise.all([store.finish(id, "cancelled"), store.finish(id, "completed"), store.finish(id, "failed", "Late.")]);

    expect(ends).toEqual([true, false, false]);
    expect(store.find(id)?.meta).toMatchObject({ status: "cancelled", error: null });
  });

  it("loses nothing of what is written at the same time", async () => {
    const store = await openJobStore(await temporaryFolder(), defaults);
    const id = await store.create("A job", "a task", {});
    const job = await open(store, id);
    const numbers = Array.from({ length: 20 }, (_, index) => String(index));

    await Promise.all(
      numbers.flatMap((one) => [
        job.addQuestion(one),
        job.addDecision({ question: one, decision: one, reasoning: one }),
        job.setUsage({ turns: Number(one), costUsd: 0 }),
      ]),
    );

    expect(await store.files.readQuestions(id)).toEqual(numbers);
    expect((await store.files.readDecisions(id)).map(({ question }) => question)).toEqual(numbers);
    expect(store.find(id)?.meta).toMatchObject({ openQuestions: 20, usage: { turns: 19 } });
    const { events } = await readEvents(store.files.timeline(id), 0);
    expect(events).toHaveLength(41);
  });

  it("has a question and a decision once, also when an interrupted agent says them again", async () => {
    const store = await openJobStore(await temporaryFolder(), defaults);
    const id = await store.create("A job", "a task", {});
    const decision = { question: "How deep?", decision: "Shallow", reasoning: "Time." };

    for (const question of ["Which coast?", " Which coast?\r\n"]) {
      const job = await open(store, id);
      await job.addQuestion(question);
      await job.addDecision(decision);
    }

    expect(await store.files.readQuestions(id)).toEqual(["Which coast?"]);
    expect(await store.files.readDecisions(id)).toEqual([decision]);
    expect(store.find(id)?.meta.openQuestions).toBe(1);
  });

  it("takes only artifacts that are there into a result, and names all where none is named (REQ-WD-15)", async () => {
    const store = await openJobStore(await temporaryFolder(), defaults);
    const id = await store.create("A job", "a task", {});
    const job = await open(store, id);
    await job.writeArtifact("a.md", "a");
    await job.writeArtifact("b.md", "b");

    await expect(job.submitResult("Done.", ["c.md"])).rejects.toThrow("There is no artifact c.md");
    expect(job.hasResult()).toBe(false);
    await job.submitResult("Done.", ["b.md", "artifacts/b.md"]);

    expect(job.hasResult()).toBe(true);
    expect(store.find(id)?.meta.artifacts).toEqual(["artifacts/b.md"]);
  });

  it("keeps a job whose metadata somebody broke in the list, says so and does not touch it", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(folder, defaults);
    const id = await store.create("A job", "a task", {});
    await writeFile(join(folder, id, "meta.json"), '{ "version": 1, "id": ');

    const again = await openJobStore(folder, defaults);

    expect(again.find(id)?.meta).toMatchObject({
      id,
      status: "failed",
      error: expect.stringContaining("meta.json of this job cannot be read") as string,
    });
    expect(await readFile(join(folder, id, "meta.json"), "utf8")).toBe('{ "version": 1, "id": ');
  });

  it("leaves nothing of a job that could not be made, and knows one whose summary cannot be read", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(folder, defaults);
    const id = await store.create("A job", "a task", {});
    await mkdir(join(folder, id, "status.md"));

    await expect(store.files.create(newMeta(id, "The same", new Date()), "a task", {}, null)).rejects.toThrow("ENOTEMPTY");

    expect(await readdir(folder)).toEqual([id]);
    expect((await openJobStore(folder, defaults)).list()).toMatchObject([{ meta: { id, status: "running" }, summary: null }]);
  });

  it("runs a job that was dispatched to an earlier version with what it knows of its settings", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(folder, defaults);
    const id = await store.create("A job", "a task", {});
    await writeFile(join(folder, id, "config.json"), '{ "maxTurns": 7, "condenseAbove": 1000 }');

    expect(await store.settings(id)).toEqual({ ...defaults, maxTurns: 7 });
  });

  it("takes for jobs only folders that are jobs, and clears what a crash left of one that was being made or removed", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(folder, defaults);
    const id = await store.create("A job", "a task", {});
    await mkdir(join(folder, ".unfinished-6f9619ff-8b86-4d01-b42d-00cf4fc964ff"));
    await mkdir(join(folder, "notes"));
    await symlink(join(folder, id), join(folder, "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"));

    const again = await openJobStore(folder, defaults);

    expect(again.list().map(({ meta }) => meta.id)).toEqual([id]);
    expect((await readdir(folder)).toSorted()).toEqual([id, "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "notes"].toSorted());
  });

  it("gives an id that none had before and that is safe as the name of its folder, also after others were removed (REQ-WD-7)", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(folder, defaults);
    const createSix = () => Promise.all(Array.from({ length: 6 }, () => store.create("A job", "a task", {})));

    const first = await createSix();
    await Promise.all(first.map((id) => store.remove(id)));
    const second = await createSix();

    expect(new Set([...first, ...second]).size).toBe(12);
    expect(second.filter((id) => !/^[0-9a-f-]{36}$/.test(id))).toEqual([]);
    expect((await readdir(folder)).toSorted()).toEqual(second.toSorted());
  });

  it("removes a job and all that belongs to it, once (REQ-WD-18)", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(folder, defaults);
    const id = await store.create("A job", "a task", {});
    await (await open(store, id)).writeArtifact("deep/er/file", "x");

    const removed = await Promise.allSettled([store.remove(id), store.remove(id)]);

    expect(removed).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: -32_602 } }]);
    expect(await readdir(folder)).toEqual([]);
    expect(store.find(id)).toBeUndefined();
  });

  it("knows no job by a name that is none", async () => {
    const folder = await temporaryFolder();
    const store = await openJobStore(join(folder, "jobs"), defaults);
    const id = await store.create("A job", "a task", {});
    const names = fc.oneof(
      fc.string({ unit: fc.nat(0x10_ffff).map((code) => String.fromCodePoint(code)), maxLength: 40 }),
      fc.constantFrom("..", ".", "", "/", `../jobs/${id}`, `${id}/`, `./${id}`, `${id}\0`, id.toUpperCase(), "__proto__"),
    );

    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        expect(store.find(name)).toBeUndefined();
        expect(await store.remove(name).catch(String)).toContain("There is no job");
      }),
    );
    expect(await readdir(folder)).toEqual(["jobs"]);
    expect(await readdir(join(folder, "jobs"))).toEqual([id]);
  });

  it("gives every question back as it was asked", () => {
    const question = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom("- ", "  ", "\n", "a", "#", "\r\n", "- b"), { maxLength: 10 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(question, { maxLength: 5 }), (asked) => {
        const questions = asked.map(tidyQuestion).filter((one) => one !== "");
        expect(readQuestions(writeQuestions(questions))).toEqual(questions);
      }),
      { numRuns: 500 },
    );
  });
});
