import { existsSync } from "node:fs";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";
import {
  CancelledJob,
  DeletedJob,
  JobArtifact,
  JobEvents,
  JobStatus,
  WorkerJob,
  WorkerResult,
  WorkerStatus,
} from "../../src/schema/job.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { groupIsAlive } from "../../src/adapters/agent/agent-stage.testing.ts";
import { rawRequest } from "../raw-request.ts";
import { researcherFolder, startResearcher } from "./member-process.ts";
import type { Researcher } from "./researcher-process.ts";
import { workerScript } from "./worker-script.ts";

let model: ScriptedModel;
let member: Researcher;
beforeAll(async () => {
  model = await startScriptedModel({ script: workerScript });
  member = await startResearcher(await researcherFolder(), model.url, { WORKER_CONCURRENCY: "2", GUILD_HALL_MODEL: "model-of-the-hall" });
});
afterAll(() => model.close());

const refused = (code: number, message: RegExp) => ({ error: { code, message: expect.stringMatching(message) as string } });
const nobody = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
async function untilEnded(jobId: string): Promise<void> {
  await expect.poll(() => member.status(jobId)).not.toBe("running");
}
const jobFolder = (jobId: string): string => join(member.folder, "jobs", jobId);

describe("the door of the researcher", () => {
  it("is an MCP server that says that it is a worker, and has no tools (REQ-WD-3, REQ-WD-42)", async () => {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${member.port}/mcp`)));

    const manifest = JSON.parse(
      await readFile(new URL("../../guild-members/researcher/guild-member.json", import.meta.url), "utf8"),
    ) as unknown;
    expect(manifest).toMatchObject(client.getServerVersion() ?? {});
    expect(client.getServerCapabilities()?.experimental).toEqual({ worker: { events: true, artifacts: true } });
    expect(await client.listTools()).toEqual({ tools: [] });
    expect(await client.request({ method: "worker/list", params: {} }, z.object({ jobs: z.array(z.unknown()) }))).toEqual({ jobs: [] });
    await client.close();
  });

  it.each([["*/*"], ["application/json"], ["application/*;q=0.5, text/html"], [undefined]])(
    "answers a request that nobody announced with one JSON document, Accept: %s",
    async (accept) => {
      const response = await post({ jsonrpc: "2.0", id: "x", method: "worker/list" }, accept === undefined ? {} : { accept });

      expect(response).toMatchObject({ status: 200, type: "application/json", body: { jsonrpc: "2.0", id: "x", result: { jobs: [] } } });
    },
  );

  it.each([
    ["no JSON", "{", 400, -32_700],
    ["no request", { hello: "world" }, 400, -32_600],
    ["another version", { jsonrpc: "1.0", id: 1, method: "worker/list" }, 400, -32_600],
    ["a list of requests", [{ jsonrpc: "2.0", id: 1, method: "worker/list" }], 400, -32_600],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "worker/dance" }, 200, -32_601],
    ["a schema that is not met", { jsonrpc: "2.0", id: 1, method: "worker/status", params: { jobId: 7 } }, 200, -32_602],
  ])("tells apart what is wrong: %s", async (_what, body, status, code) => {
    const response = await post(body);

    expect(response).toMatchObject({
      status,
      type: "application/json",
      body: { jsonrpc: "2.0", error: { code, message: expect.stringMatching(/\w+ \w+/) as string } },
    });
  });

  it.each([
    ["another Host", { host: "evil.example:80" }, 421],
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["a foreign page", { "sec-fetch-site": "cross-site" }, 403],
    ["a form", { "content-type": "text/plain" }, 415],
    ["a client that wants no JSON", { accept: "text/html" }, 406],
  ])("turns away %s", async (_who, headers, status) => {
    const before = await member.ask("worker/list");

    const response = await rawRequest(`http://127.0.0.1:${member.port}`, {
      method: "POST",
      path: "/mcp",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "worker/dispatch", params: { description: "Not wanted", task: "a task" } }),
    });

    expect(response.status).toBe(status);
    expect(await member.ask("worker/list")).toEqual(before);
  });

  it("has nothing but POST to /mcp, and a largest size of what it reads", async () => {
    const statuses = await Promise.all([
      rawRequest(`http://127.0.0.1:${member.port}`, { path: "/mcp", headers: { accept: "text/event-stream" } }),
      rawRequest(`http://127.0.0.1:${member.port}`, { path: "/other", method: "POST" }),
    ]);

    expect(statuses.map(({ status }) => status)).toEqual([405, 404]);
    expect((await post({ jsonrpc: "2.0", id: 1, method: "worker/list", params: { filter: "x".repeat(5_000_000) } })).status).toBe(413);
  });
});

describe("worker/* against the running member (WD-AIV-2)", () => {
  /** One job that does everything, for all who only look at it; the last of them deletes it. */
  let thorough: string;
  let failed: string;
  /** As many as work at once: with them at work, no agent is started for what is dispatched. */
  let atWork: string[];
  beforeAll(async () => {
    thorough = await member.dispatch("Be thorough.", { description: "A thorough one", config: { maxTurns: 9 } });
    failed = await member.dispatch("fail");
    atWork = [await member.dispatch("hang with another model", { config: { model: "model-of-the-job" } }), await member.dispatch("hang 2")];
  });
  const agentOf = async (jobId: string) =>
    (JSON.parse(await readFile(join(jobFolder(jobId), "meta.json"), "utf8")) as { agent: { pid: number } | null }).agent; // the member's own file
  async function untilAllWork(): Promise<void> {
    await expect.poll(async () => (await Promise.all(atWork.map(agentOf))).includes(null)).toBe(false);
  }

  it("takes a job, runs it, keeps its files, and gives out what became of it (REQ-WD-5, REQ-WD-6, REQ-WD-11, REQ-WD-12, REQ-WD-13, REQ-WD-15, REQ-WD-21)", async () => {
    const jobId = thorough;
    expect(await readdir(jobFolder(jobId))).toEqual(expect.arrayContaining(["task.md", "config.json", "meta.json"]));
    await untilEnded(jobId);

    const status = await member.call("worker/status", { jobId }, z.strictObject(WorkerStatus.shape));
    expect(status).toMatchObject({
      jobId,
      status: "completed",
      description: "A thorough one",
      summary: "Half of the sources are read.",
      questions: ["May paid sources be used?\nThey cost 20 dollars."],
      decisions: [{ question: "Which year?", decision: "2026", reasoning: "The task says now." }],
      error: null,
      task: "Be thorough.",
      config: { maxTurns: 9 },
      usage: { maxTurns: 9, maxBudgetUsd: 2.5 },
      openQuestions: 1,
    });
    expect(Date.parse(status.completedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(status.startedAt));
    expect(await member.call("worker/result", { jobId }, z.strictObject(WorkerResult.shape))).toEqual({
      jobId,
      output: "# Report\n\nIt is so.",
      artifacts: ["artifacts/data/table.csv"],
    });
    expect(await readdir(jobFolder(jobId))).toEqual(
      expect.arrayContaining(["result.md", "status.md", "questions.md", "decisions.json", "artifacts"]),
    );
    expect(JSON.parse(await readFile(join(jobFolder(jobId), "meta.json"), "utf8"))).toMatchObject({
      id: jobId,
      status: "completed",
      runner: null,
      agent: null,
    });
  });

  it("says that a result is lost where its file was emptied or removed", async () => {
    const jobId = thorough;
    await untilEnded(jobId);
    const path = join(jobFolder(jobId), "result.md");
    const output = await readFile(path, "utf8");

    await writeFile(path, "\n");
    await expect(member.call("worker/result", { jobId }, WorkerResult)).rejects.toThrow(
      `The result of job ${jobId} is lost: result.md is empty.`,
    );
    await rm(path);
    await expect(member.call("worker/result", { jobId }, WorkerResult)).rejects.toThrow("somebody removed result.md");
    await writeFile(path, output);
    expect((await member.call("worker/result", { jobId }, WorkerResult)).output).toBe(output);
  });

  it("tells the timeline in pages and gives out artifacts, and nothing else", async () => {
    const jobId = thorough;
    await untilEnded(jobId);

    const { events, hasMore } = await member.call("worker/events", { jobId }, JobEvents);
    expect(hasMore).toBe(false);
    expect(events[0]).toMatchObject({ type: "status", status: "running", text: "Dispatched." });
    expect(events.at(-1)).toMatchObject({ type: "status", status: "completed" });
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(["status", "progress", "text", "tool_use", "tool_result", "decision", "question", "artifact"]),
    );
    // What whoever dispatched it has to know at once is told before anything is done.
    expect(events[1]).toMatchObject({ type: "progress", summary: expect.stringContaining("Web search is missing") as string });
    const later = await member.call("worker/events", { jobId, after: events[2]?.id }, JobEvents);
    expect(later.events).toEqual(events.slice(3));

    const { data, size, path } = await member.call("worker/artifact", { jobId, path: "artifacts/data/table.csv" }, JobArtifact);
    expect([Buffer.from(data, "base64").toString(), size, path]).toEqual(["year,value\n2026,1\n", 18, "artifacts/data/table.csv"]);
    for (const outside of ["../meta.json", "/etc/passwd", "artifacts/../task.md", "data", "", "data/none.csv"]) {
      expect(await member.ask("worker/artifact", { jobId, path: outside })).toMatchObject({ error: { code: -32_602 } });
    }
  });

  it("shows of a job whose files somebody broke what is left, and says which file it was", async () => {
    const jobId = thorough;
    await untilEnded(jobId);
    const [config, decisions] = [join(jobFolder(jobId), "config.json"), join(jobFolder(jobId), "decisions.json")];
    const before = [await readFile(config, "utf8"), await readFile(decisions, "utf8")] as const;
    await writeFile(config, "[]");
    await writeFile(decisions, "{");

    const status = await member.call("worker/status", { jobId }, WorkerStatus);
    await writeFile(config, before[0]);
    await writeFile(decisions, before[1]);

    expect(status).toMatchObject({ status: "completed", config: {}, decisions: null, task: "Be thorough.", openQuestions: 1 });
    expect(status.questions).toHaveLength(1);
    expect(status.error).toMatch(/config\.json of this job cannot be read any more/);
    expect(status.error).toMatch(/decisions\.json of this job cannot be read any more/);
  });

  it("asks the model that the member was given, or the one that the dispatch names", async () => {
    const asked = async (task: string) => (await model.waitForRequest(({ conversation }) => conversation.userTexts[0] === task)).body.model;

    expect([await asked("Be thorough."), await asked("hang with another model")]).toEqual(["model-of-the-hall", "model-of-the-job"]);
  });

  it("lists jobs in brief and at length, all of them or those whose description fits (REQ-WD-8, REQ-WD-9, REQ-WD-10, WD-SC-13, WD-AIV-5)", async () => {
    await untilAllWork();
    const ids: string[] = [];
    for (const description of ["List: tides / moon", "List: .tides", "Something else"])
      ids.push(await member.dispatch("hang", { description }));
    for (const jobId of ids) await member.ask("worker/cancel", { jobId });
    const Simple = z.object({ jobs: z.array(z.strictObject({ jobId: z.uuid(), status: JobStatus })) });
    const Detailed = z.object({ jobs: z.array(z.strictObject(WorkerJob.shape)) });

    const all = await member.call("worker/list", {}, Simple);
    const fitting = await member.call("worker/list", { filter: "List:*tides*" }, Simple);
    const detailed = await member.call("worker/list", { detail: "detailed", filter: "List: *" }, Detailed);

    expect(all.jobs.map(({ jobId }) => jobId)).toEqual(expect.arrayContaining(ids));
    expect(fitting.jobs.map(({ jobId }) => jobId)).toEqual([ids[1], ids[0]]);
    expect(detailed.jobs.map(({ description, status, openQuestions }) => ({ description, status, openQuestions }))).toEqual([
      { description: "List: .tides", status: "cancelled", openQuestions: 0 },
      { description: "List: tides / moon", status: "cancelled", openQuestions: 0 },
    ]);
    expect(await member.call("worker/list", { filter: "list:*" }, Simple)).toEqual({ jobs: [] });
    // A pattern with which a matcher that goes back would not be done before the sun is.
    const dark = await member.dispatch("hang", { description: "a".repeat(500) });
    expect(await member.call("worker/list", { filter: `${"*a".repeat(249)}*b` }, Simple)).toEqual({ jobs: [] });
    await member.ask("worker/cancel", { jobId: dark });
  });

  it("deletes what is completed or cancelled, wholly, and refuses the rest in words; a cancel of what is over says what became of it (REQ-WD-14, REQ-WD-16, REQ-WD-17, REQ-WD-18, REQ-WD-44, WD-SC-11, WD-SC-12, WD-AIV-3, WD-AIV-4)", async () => {
    await untilAllWork();
    const [completed, running, cancelled] = [thorough, atWork[0] ?? "", await member.dispatch("hang 4")];
    await member.ask("worker/cancel", { jobId: cancelled });

    expect(await member.call("worker/cancel", { jobId: completed }, CancelledJob)).toEqual({ jobId: completed, status: "completed" });
    expect(await member.call("worker/cancel", { jobId: failed }, CancelledJob)).toEqual({ jobId: failed, status: "failed" });
    expect(await member.ask("worker/result", { jobId: failed })).toMatchObject(refused(-32_602, /is failed, so it has no result/));
    expect(await member.ask("worker/result", { jobId: running })).toMatchObject(refused(-32_602, /is running, so it has no result yet/));
    const { error } = await member.call("worker/status", { jobId: failed }, WorkerStatus);
    expect(error).toMatch(/did not take the request \(400\).*This cannot be asked/);
    expect(error).not.toContain("sk-not-a-key");
    expect(await member.ask("worker/delete", { jobId: running })).toMatchObject(refused(-32_602, /is running and cannot be deleted/));
    expect(await member.ask("worker/delete", { jobId: failed })).toMatchObject(refused(-32_602, /failed and is kept/));
    for (const jobId of [completed, cancelled]) {
      // Either may come first.
      const both = await Promise.all([1, 2].map(() => member.ask("worker/delete", { jobId })));
      const [done, late] = both.toSorted((one, other) => Number(one.error !== undefined) - Number(other.error !== undefined));
      expect(z.strictObject(DeletedJob.shape).parse(done?.result)).toEqual({ jobId, deleted: true });
      expect(late).toMatchObject(refused(-32_602, /There is no job/));
      expect(existsSync(jobFolder(jobId))).toBe(false);
      expect(await member.ask("worker/delete", { jobId })).toMatchObject(refused(-32_602, /There is no job/));
    }
    expect([failed, running].map((jobId) => existsSync(jobFolder(jobId)))).toEqual([true, true]);
  });

  it("cancels a running job, whose agent is gone then with all it started, and one that waits, which says so (REQ-WD-16, WD-SC-10, WD-AIV-3)", async () => {
    await untilAllWork();
    const waiting = await member.dispatch("hang 3");
    const agent = await agentOf(atWork[0] ?? "");
    const request = await model.waitForRequest(({ conversation }) => conversation.userTexts[0] === "hang with another model");

    expect(await member.call("worker/status", { jobId: waiting }, WorkerStatus)).toMatchObject({
      status: "running",
      summary: expect.stringMatching(/^Waiting for its turn: 2 at work, 0 waiting before it\. Web search is missing: /) as string,
    });
    for (const jobId of [waiting, ...atWork]) {
      expect(await member.call("worker/cancel", { jobId }, z.strictObject(CancelledJob.shape))).toEqual({ jobId, status: "cancelled" });
    }

    expect(groupIsAlive(agent?.pid ?? 0)).toBe(false);
    expect(await request.ended).toBe("abandoned");
    expect(await member.ask("worker/result", { jobId: waiting })).toMatchObject(refused(-32_602, /is cancelled, so it has no result/));
    expect(await member.call("worker/cancel", { jobId: waiting }, CancelledJob)).toEqual({ jobId: waiting, status: "cancelled" });
  });

  it.each(["worker/status", "worker/result", "worker/cancel", "worker/delete", "worker/events", "worker/artifact"])(
    "says of a job that is not there that it is not there: %s (REQ-WD-46, WD-AIV-3)",
    async (method) => {
      for (const jobId of [nobody, "", "..", "../jobs", "__proto__"]) {
        expect(await member.ask(method, { jobId, path: "x" })).toMatchObject(refused(-32_602, /There is no job .* here\./));
      }
      expect(await member.ask(method, {})).toMatchObject(refused(-32_602, /jobId: must be the id of a job/));
    },
  );

  it.each([
    [{ task: "a task" }, /^description: must be a few words/],
    [{ description: "  ", task: "a task" }, /^description: must be a few words/],
    [{ description: "x".repeat(501), task: "a task" }, /^description: must have at most 500/],
    [{ description: "a job" }, /^task: must be what the worker is to do/],
    [{ description: "a job", task: {} }, /^task: must be what the worker is to do/],
    [{ description: "a job", task: { ttl: 60_000 } }, /^task: must be what the worker is to do/],
    [{ description: "a job", task: ["a task"] }, /^task: must be what the worker is to do/],
    [{ description: "a job", task: null }, /^task: must be what the worker is to do/],
    [{ description: "a job", task: "a task", config: { condenseAbove: 1000 } }, /^config: .*"condenseAbove"/],
    [{ description: "a job", task: "a task", config: { maxTurns: 0 } }, /^config\.maxTurns: /],
    [{ description: "a job", task: "a task", config: { maxBudgetUsd: "all" } }, /^config\.maxBudgetUsd: /],
    [{ description: "a job", task: "a task", config: { tools: ["Bash"] } }, /^config: .*"tools"/],
  ])("refuses a dispatch that does not fit and names what is wrong: %$", async (params, message) => {
    const before = await readdir(join(member.folder, "jobs"));

    expect(await member.ask("worker/dispatch", params)).toMatchObject(refused(-32_602, message));
    expect(await readdir(join(member.folder, "jobs"))).toEqual(before);
  });

  it("refuses a list that does not fit", async () => {
    expect(await member.ask("worker/list", { detail: "some" })).toMatchObject(refused(-32_602, /^detail: must be "simple" or "detailed"/));
    expect(await member.ask("worker/list", { filter: "*".repeat(501) })).toMatchObject(refused(-32_602, /^filter: must have at most 500/));
  });
});

async function post(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string | undefined; body: unknown }> {
  const answer = await rawRequest(`http://127.0.0.1:${member.port}`, {
    method: "POST",
    path: "/mcp",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.status, type: answer.headers["content-type"], body: JSON.parse(answer.body) as unknown };
}
