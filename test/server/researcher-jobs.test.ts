import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { JobMeta } from "../../guild-members/researcher/job.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { JobId } from "../../src/schema/job.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { playScript } from "../../src/scripted-model/play-script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { leadersOf, processesOf } from "../faults/processes.ts";
import { workerScript } from "../researcher/worker-script.ts";
import { openTestHall } from "../../src/server/composed-hall.testing.ts";
import type { TestHall } from "../../src/server/composed-hall.testing.ts";
import { patience, statusOf as memberStatus, untilConnected } from "./members-by-hand.ts";

let model: ScriptedModel;
let hall: TestHall;
/** Until then an agent that goes on with a job finds something to do. */
let mayFinish = true;
/** The one that the main agent of a session gives to the researcher. */
const job = { id: "", mayFinish: false, isOver: false };

beforeAll(async () => {
  const play = playScript(workerScript);
  const [agent, worker] = [agentOf(job), workerOf(job)];
  model = await startScriptedModel({
    script(request) {
      if (isOfMainAgent(request)) return agent.next().value;
      const said = JSON.stringify(request.messages);
      if (said.includes("What does bread cost?")) return worker.next().value;
      return !mayFinish && said.includes("You were interrupted") ? busy : play(request);
    },
  });
  const { close, ...open } = await openTestHall({
    project: join(import.meta.dirname, "../.."),
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
  });
  hall = open;
  await vi.waitUntil(async () => (await memberStatus(hall, "researcher")) === "connected", patience);
  return async () => {
    await close();
    await model.close();
  };
});

const busy = { tools: [{ name: "mcp__worker-internal__update_summary", input: { summary: "Still at it." } }], delayMs: 200 };
const dispatch = async (description: string, task: string): Promise<JobId> =>
  (await hall.client.jobs.dispatch("researcher", { description, task })).jobId;
const statusOf = async (jobId: string) => (await hall.client.jobs.get("researcher", jobId)).status;

describe("the researcher of a hall", () => {
  it("is there from the first start on, with the example, and known as a worker from its manifest; one without capabilities is none (REQ-GH1-5, REQ-WD-2, WD-SC-1, WD-SC-2)", async () => {
    await untilConnected(hall, "example");

    const { members } = await hall.client.roster.list();
    expect(members).toMatchObject([
      { name: "example", origin: "bundled", error: null, capabilities: [] },
      { name: "researcher", origin: "bundled", error: null, capabilities: ["worker"] },
    ]);
    expect(members[0]?.tools.every(({ accepted }) => accepted)).toBe(true);
    await expect(hall.client.jobs.dispatch("example", { description: "a job", task: "a task" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is dispatched to, listed, looked at, cancelled and deleted through the hall's handle (REQ-WD-35, REQ-WD-36, WD-SC-3, WD-SC-4, WD-SC-7, WD-SC-12, WD-SC-13, WD-AIV-1)", async () => {
    const { jobs } = hall.client;
    const thorough = await dispatch("Handle: thorough", "Be thorough.");
    const hanging = await dispatch("Handle: hanging", "hang");
    await expect(jobs.remove("researcher", hanging)).rejects.toMatchObject({ code: "conflict" });
    await expect.poll(() => statusOf(thorough), patience).toBe("completed");

    const found = await jobs.list({ filter: "Handle: *ing" });
    const detail = await jobs.get("researcher", thorough);
    const result = await jobs.result("researcher", thorough);
    const cancelled = await jobs.cancel("researcher", hanging);
    const kept = (await readdir(folderOf(thorough))).toSorted();
    for (const jobId of [thorough, hanging]) await jobs.remove("researcher", jobId);

    expect(found.jobs.map(({ jobId }) => jobId)).toEqual([hanging]);
    expect(detail).toMatchObject({
      status: "completed",
      questions: ["May paid sources be used?\nThey cost 20 dollars."],
      decisions: [{ question: "Which year?", decision: "2026", reasoning: "The task says now." }],
    });
    expect(result).toEqual({ jobId: thorough, output: "# Report\n\nIt is so.", artifacts: ["artifacts/data/table.csv"] });
    expect(cancelled).toEqual({ jobId: hanging, status: "cancelled" });
    expect(kept).toEqual(expect.arrayContaining(["artifacts", "config.json", "decisions.json", "meta.json", "questions.md", "task.md"]));
    expect([thorough, hanging].map((jobId) => existsSync(folderOf(jobId)))).toEqual([false, false]);
    await expect(jobs.get("researcher", thorough)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the main agent of a session", () => {
  it("gives a job to the researcher, relays its question and presents its result (REQ-WD-12, REQ-WD-36, REQ-WD-39, REQ-WD-40, WD-SC-5, WD-SC-6, WD-SC-15)", async () => {
    const { id } = await hall.client.sessions.create({ name: "Delegates", members: ["researcher", "example"] });

    await hall.client.sessions.send(id, "Find the price of bread.");
    const dispatched = async () => (await hall.client.jobs.list({ filter: "Prices" })).jobs;
    await expect.poll(async () => (await dispatched())[0]?.openQuestions).toBe(1);
    job.id = (await dispatched())[0]?.jobId ?? "";
    await expect.poll(() => statusOf(job.id)).toBe("completed");
    job.isOver = true;
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;
    const resultsOf = await toolResults(hall, id);

    expect(resultsOf("dispatch")).toMatchObject([{ isError: false, text: expect.stringContaining(job.id) as string }]);
    expect(resultsOf("status")).toMatchObject([{ isError: false, text: expect.stringContaining("Which year?") as string }]);
    expect(resultsOf("result")).toMatchObject([
      { isError: true, text: expect.stringContaining("is running") as string },
      { isError: false, text: expect.stringContaining("Bread costs 3.") as string },
    ]);
    const asked = model.requests.find(({ body }) => isOfMainAgent(body))?.body;
    expect(JSON.stringify(asked?.system)).toContain("- researcher: mcp__researcher-dispatch__dispatch");
    expect(JSON.stringify(asked?.system)).not.toContain("mcp__example-dispatch");
    const offered = asked?.tools?.map(({ name }) => name).filter((name) => /^mcp__(researcher|.*-dispatch)__/.test(name));
    expect(offered).toEqual(
      ["cancel", "delete", "dispatch", "list", "result", "status"].map((name) => `mcp__researcher-dispatch__${name}`),
    );
  }, 120_000);
});

describe("a job at which its worker is at work", () => {
  it("goes on with one agent after that worker was killed, and comes to its end (REQ-WD-47)", async () => {
    mayFinish = false;
    const task = "hang, and be killed";
    const jobId = await dispatch(task, task);
    await model.waitForRequest(({ body }) => JSON.stringify(body.messages).includes(task));
    // The SDK asks before it has written down what was asked, and one that is killed before has nothing to go on from.
    await expect.poll(() => keptSession(jobId)).toContain(task);
    const before = await metaOf(jobId);

    process.kill(before.runner?.pid ?? 0, "SIGKILL");
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
  }, 120_000);
});

const isOfMainAgent = ({ system }: { system?: unknown }): boolean => JSON.stringify(system ?? "").includes("main agent of a session");

const folderOf = (jobId: JobId): string => join(hall.home, "guild-members/researcher/jobs", jobId);

async function keptSession(jobId: JobId): Promise<string> {
  const names = await readdir(folderOf(jobId), { recursive: true });
  const name = names.find((each) => each.endsWith(`${jobId}.jsonl`));
  return name === undefined ? "" : readFile(join(folderOf(jobId), name), "utf8");
}

const metaOf = async (jobId: JobId): Promise<JobMeta> => JSON.parse(await readFile(join(folderOf(jobId), "meta.json"), "utf8")) as JobMeta; // the member's own file

type PlayedJob = { id: string; mayFinish: boolean; isOver: boolean };

function* agentOf(job: PlayedJob): Generator<Reply, undefined> {
  yield calls("researcher-dispatch", "dispatch", { description: "Prices", task: "What does bread cost?" });
  while (job.id === "") yield looksAround;
  yield calls("researcher-dispatch", "status", { jobId: job.id });
  yield { text: "It asks which year.", ...calls("researcher-dispatch", "result", { jobId: job.id }) };
  job.mayFinish = true;
  while (!job.isOver) yield looksAround;
  yield calls("researcher-dispatch", "result", { jobId: job.id });
  yield { text: "Bread costs 3." };
}

function* workerOf(job: PlayedJob): Generator<Reply, undefined> {
  yield calls("worker-internal", "log_question", { question: "Which year?" });
  while (!job.mayFinish) yield { ...calls("worker-internal", "update_summary", { summary: "Still looking." }), delayMs: 500 };
  yield calls("worker-internal", "submit_result", { output: "Bread costs 3." });
  yield { text: "Done." };
}

const calls = (server: string, tool: string, input: Record<string, string>): Reply => ({
  tools: [{ name: `mcp__${server}__${tool}`, input }],
});

const looksAround: Reply = { ...calls("researcher-dispatch", "list", {}), delayMs: 300 };

/** What a tool of the handle answered, each time that the agent called it. */
async function toolResults({ client }: TestHall, id: SessionId) {
  const blocks = (await client.sessions.get(id)).messages.flatMap((message) => message.blocks);
  return (tool: string) => {
    const calls = blocks.flatMap((block) =>
      block.type === "tool_use" && block.name === `mcp__researcher-dispatch__${tool}` ? [block.id] : [],
    );
    return blocks.flatMap((block) =>
      block.type === "tool_result" && calls.includes(block.id) ? [{ text: JSON.stringify(block.content), isError: block.isError }] : [],
    );
  };
}
