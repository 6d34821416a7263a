import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JobMeta } from "../../guild-members/researcher/job.ts";
import type { JobId } from "../../src/schema/job.ts";
import { playScript } from "../../src/scripted-model/play-script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { leadersOf, processesOf } from "../faults/processes.ts";
import { workerScript } from "../researcher/worker-script.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { patience, statusOf as memberStatus, untilConnected } from "./members-by-hand.ts";

let model: ScriptedModel;
let hall: HallProcess;
/** Until then an agent that goes on with a job finds something to do. */
let mayFinish = true;

beforeAll(async () => {
  const play = playScript(workerScript);
  model = await startScriptedModel({
    script: (request) => (!mayFinish && JSON.stringify(request.messages).includes("You were interrupted") ? busy : play(request)),
  });
  hall = await startSharedHall(withModel());
  await vi.waitUntil(async () => (await memberStatus(hall, "researcher")) === "connected", patience);
});
afterAll(() => model.close());

const busy = { tools: [{ name: "mcp__worker-internal__update_summary", input: { summary: "Still at it." } }], delayMs: 200 };
const withModel = () => ({ waiting: false as const, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } });
const dispatch = async (description: string, task: string): Promise<JobId> =>
  (await hall.client.jobs.dispatch("researcher", { description, task })).jobId;
const statusOf = async (jobId: JobId) => (await hall.client.jobs.get("researcher", jobId)).status;

describe("the researcher of a hall", () => {
  it("is known as a worker from its manifest, and one without capabilities is none (REQ-WD-2, WD-SC-1, WD-SC-2)", async () => {
    const { members } = await hall.client.roster.list();

    expect(members.map(({ name, capabilities }) => [name, capabilities])).toEqual(
      expect.arrayContaining([
        ["researcher", ["worker"]],
        ["example", []],
      ]),
    );
    await expect(hall.client.jobs.dispatch("example", { description: "a job", task: "a task" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is dispatched to, listed, looked at, cancelled and deleted through the hall's handle (REQ-WD-35, REQ-WD-36, WD-SC-3, WD-SC-4, WD-SC-7, WD-SC-12, WD-SC-13, WD-AIV-1)", async () => {
    const { jobs } = hall.client;
    const thorough = await dispatch("Handle: thorough", "Be thorough.");
    const hanging = await dispatch("Handle: hanging", "hang");
    const failing = await dispatch("Handle: failing", "fail");
    await expect(jobs.remove("researcher", hanging)).rejects.toMatchObject({ code: "conflict" });
    await expect.poll(() => Promise.all([thorough, failing].map(statusOf)), patience).toEqual(["completed", "failed"]);

    const found = await jobs.list({ filter: "Handle: *ing" });
    const detail = await jobs.get("researcher", thorough);
    const result = await jobs.result("researcher", thorough);
    const cancelled = await jobs.cancel("researcher", hanging);
    const kept = (await readdir(folderOf(thorough))).toSorted();
    await expect(jobs.remove("researcher", failing)).rejects.toMatchObject({ code: "conflict" });
    for (const jobId of [thorough, hanging]) await jobs.remove("researcher", jobId);

    expect(found.jobs.map(({ jobId }) => jobId).toSorted()).toEqual([hanging, failing].toSorted());
    expect(detail).toMatchObject({
      status: "completed",
      questions: ["May paid sources be used?\nThey cost 20 dollars."],
      decisions: [{ question: "Which year?", decision: "2026", reasoning: "The task says now." }],
    });
    expect(result).toEqual({ jobId: thorough, output: "# Report\n\nIt is so.", artifacts: ["artifacts/data/table.csv"] });
    expect(cancelled).toEqual({ jobId: hanging, status: "cancelled" });
    expect(kept).toEqual(expect.arrayContaining(["artifacts", "config.json", "decisions.json", "meta.json", "questions.md", "task.md"]));
    expect([thorough, hanging, failing].map((jobId) => existsSync(folderOf(jobId)))).toEqual([false, false, true]);
    await expect(jobs.get("researcher", thorough)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a job at which somebody is at work", () => {
  it.each([
    {
      who: "the hall",
      async strike() {
        await hall.end("SIGKILL");
        hall = await startSharedHall({ home: hall.home, ...withModel() });
      },
    },
    { who: "its worker", strike: async ({ runner }: JobMeta) => void process.kill(runner?.pid ?? 0, "SIGKILL") },
  ])(
    "goes on with one agent after $who was killed, and comes to its end (REQ-WD-47)",
    async ({ who, strike }) => {
      mayFinish = false;
      const task = `hang, for ${who}`;
      const jobId = await dispatch(task, task);
      await model.waitForRequest(({ body }) => JSON.stringify(body.messages).includes(task));
      const before = await metaOf(jobId);

      await strike(before);
      await model.waitForRequest(({ body }) =>
        [task, "You were interrupted"].every((words) => JSON.stringify(body.messages).includes(words)),
      );

      const during = await metaOf(jobId);
      expect(during).toMatchObject({ status: "running", attempt: 2 });
      expect(during.runner?.pid).not.toBe(before.runner?.pid);
      await expect.poll(() => leadersOf(folderOf(jobId))).toEqual([during.agent?.pid]);
      await untilConnected(hall, "researcher");
      mayFinish = true;
      await expect.poll(() => statusOf(jobId), patience).toBe("completed");
      expect((await hall.client.jobs.result("researcher", jobId)).output).toBe("A short report.");
      expect(await metaOf(jobId)).toMatchObject({ status: "completed", runner: null, agent: null });
      expect(await processesOf(folderOf(jobId))).toEqual([]);
      const { events } = await hall.client.jobs.events("researcher", jobId);
      const ends = events.filter((event) => event.type === "status" && event.status !== "running");
      expect(ends).toHaveLength(1);
      expect((await hall.client.jobs.list({ status: "running" })).jobs).toEqual([]);
    },
    120_000,
  );
});

const folderOf = (jobId: JobId): string => join(hall.home, "guild-members/researcher/jobs", jobId);

const metaOf = async (jobId: JobId): Promise<JobMeta> => JSON.parse(await readFile(join(folderOf(jobId), "meta.json"), "utf8")) as JobMeta; // the member's own file
