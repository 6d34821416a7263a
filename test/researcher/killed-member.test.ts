import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { holdFolderLock } from "../../guild-members/researcher/folder-lock.ts";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobMeta } from "../../guild-members/researcher/job.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { JobEvents, WorkerResult, WorkerStatus } from "../../src/schema/job.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { beginResearcher, researcherFolder, startResearcher } from "./member-process.ts";
import { listening } from "./researcher-process.ts";
import type { Researcher } from "./researcher-process.ts";

const summary = { name: "mcp__worker-internal__update_summary", input: { summary: "Begun." } };
const store = { name: "mcp__worker-internal__store_memory", input: { key: "much", content: "m".repeat(1100) } };
const submit = { name: "mcp__worker-internal__submit_result", input: { output: "Handed in." } };

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({
    script: {
      turns: [
        { when: { systemContains: "You condense the memory" }, reply: { fault: { how: "hang" } } },
        { when: { userMessage: 1, userContains: "remember much", step: 1 }, reply: { tools: [summary, store] } },
        { when: { userMessage: 1, userContains: "stop here", step: 1 }, reply: { tools: [summary] } },
        { when: { userMessage: 1, userContains: "submit first", step: 1 }, reply: { tools: [submit] } },
        { when: { userMessage: 1, userContains: "broken", step: 2 }, times: 1, reply: { fault: { how: "hang" } } },
        { when: { userMessage: 1, userContains: "broken", step: 2 }, reply: { text: "Done: {{firstUser}}" } },
        { when: { userMessage: 1, userContains: ["stop here", "submit first", "remember much"] }, reply: { fault: { how: "hang" } } },
        { when: { userContains: "interrupt", step: 1 }, reply: { text: "Resumed: {{firstUser}}" } },
        { reply: { text: "Done: {{firstUser}}" } },
      ],
    },
  });
});
afterAll(() => model.close());

const metaOf = async ({ folder }: { folder: string }, jobId: string): Promise<JobMeta> =>
  JSON.parse(await readFile(join(folder, "jobs", jobId, "meta.json"), "utf8")) as JobMeta; // the member's own file
async function ended(member: Researcher, jobId: string): Promise<void> {
  await expect.poll(() => member.status(jobId)).not.toBe("running");
}
const resultOf = async (member: Researcher, jobId: string): Promise<string> =>
  (await member.call("worker/result", { jobId }, WorkerResult)).output;
/** The session has the result of the tool. The SDK writes it a moment after it has asked the model again. */
async function isKept(folder: string, jobId: string): Promise<boolean> {
  const projects = join(folder, "jobs", jobId, "sdk/config/projects");
  const [project = ""] = await readdir(projects).catch(() => []);
  const session = await readFile(join(projects, project, `${jobId}.jsonl`), "utf8").catch(() => "");
  return session.includes('"tool_result"');
}
/** The model was asked for the answer that never comes. */
const hangs = (task: string) =>
  model.waitForRequest(({ body }) => [task, '"tool_result"'].every((words) => JSON.stringify(body.messages).includes(words)));

describe("a researcher that is killed, and another one that was started beside it", () => {
  let second: Researcher;
  let seen: { whileBothRun: JobMeta; ofLock: unknown; left: JobMeta };
  const jobs = { working: "", submitted: "", broken: "", fresh: "" };
  beforeAll(async () => {
    const folder = await researcherFolder();
    const first = await startResearcher(folder, model.url, { WORKER_CONCURRENCY: "8" });
    jobs.working = await first.dispatch("stop here, tides");
    jobs.submitted = await first.dispatch("submit first, moon");
    jobs.broken = await first.dispatch("stop here, broken");
    await Promise.all(["stop here, tides", "submit first, moon", "stop here, broken"].map(hangs));
    for (const jobId of [jobs.working, jobs.submitted, jobs.broken]) await vi.waitUntil(() => isKept(folder, jobId), { timeout: 30_000 });
    const begun = await beginResearcher(folder, model.url, { WORKER_CONDENSE_ABOVE: "1000" });
    const ofLock = await holdFolderLock(join(folder, "jobs/.lock"), 0).catch(String);
    const whileBothRun = await metaOf(first, jobs.working);
    jobs.fresh = await first.dispatch("Be brief.");
    // An agent that is left alone adds to its session, and then it is not broken.
    const { agent } = await metaOf(first, jobs.broken);
    process.kill(agent?.pid ?? expect.unreachable("No agent is at the job."), "SIGKILL");
    await first.end("SIGKILL");
    // Nothing is half written, whatever it was at.
    seen = { whileBothRun, ofLock, left: await metaOf(first, jobs.fresh) };
    const projects = join(folder, "jobs", jobs.broken, "sdk/config/projects");
    const [project = ""] = await readdir(projects);
    await writeFile(join(projects, project, `${jobs.broken}.jsonl`), "what a disk made of it");
    second = await listening(folder, begun);
    const isOver = async (jobId: string) => (await second.status(jobId)) !== "running";
    for (const jobId of Object.values(jobs)) await vi.waitUntil(() => isOver(jobId), { timeout: 60_000, interval: 100 });
  });

  it("are never at the same jobs: the second waits until the first is gone", async () => {
    expect(seen.ofLock).toContain("Another process of this member works with the same jobs");
    expect(seen.whileBothRun).toMatchObject({ status: "running", attempt: 1 });
    expect(seen.whileBothRun.runner?.pid).not.toBe(second.child.pid);
  });

  it("resume a job from its session, with nothing left of the agent before (REQ-WD-47)", async () => {
    expect(await resultOf(second, jobs.working)).toBe("Resumed: stop here, tides");
    const meta = await metaOf(second, jobs.working);
    expect(meta).toMatchObject({ attempt: 2, interruptions: 1, runner: null, agent: null, usage: { turns: 2 } });
    expect(existsSync(`/proc/${seen.whileBothRun.agent?.pid}/exe`)).toBe(false);
    const [onwards] = model.requests.filter(
      ({ conversation: { userTexts } }) => userTexts[0] === "stop here, tides" && userTexts.length > 1,
    );
    expect(onwards?.conversation.userTexts.at(-1)).toMatch(/^You were interrupted/);
    expect(JSON.stringify(onwards?.body.messages)).toContain("Begun.");
  });

  it("begin a job anew whose session is broken (REQ-WD-47)", async () => {
    expect(await resultOf(second, jobs.broken)).toBe("Done: stop here, broken");
    expect(await metaOf(second, jobs.broken)).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("have what was handed in", async () => {
    expect(await resultOf(second, jobs.submitted)).toBe("Handed in.");
    expect(await metaOf(second, jobs.submitted)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("lose no job, also one that had hardly begun, and end none twice (REQ-WD-47)", async () => {
    expect(seen.left).toMatchObject({ id: jobs.fresh, status: "running" });
    expect(await resultOf(second, jobs.fresh)).toMatch(/^(Done|Resumed): Be brief\.$/);
    for (const jobId of Object.values(jobs)) {
      const { events } = await second.call("worker/events", { jobId }, JobEvents);
      const ends = events.filter((event) => event.type === "status" && event.status !== "running");
      expect(ends).toHaveLength(1);
    }
    expect((await readdir(join(second.folder, "jobs"))).toSorted()).toEqual([".lock", ...Object.values(jobs)].toSorted());
  });

  it("end at once when they are told to, with nothing of them left, not even while they condense their memory, and their jobs go on later", async () => {
    const { folder } = second;
    const jobId = await second.dispatch("remember much");
    await hangs("remember much");
    const condensing = await model.waitForRequest(({ conversation }) => conversation.system.includes("You condense the memory"));
    const { agent } = await metaOf(second, jobId);
    const { summary: told } = await second.call("worker/status", { jobId }, WorkerStatus);

    expect(await second.end("SIGTERM")).toBe(0);

    // Whoever looks later than at the dispatch sees it too.
    expect(told).toMatch(/^Begun\. Web search is missing: /);
    expect(await condensing.ended).toBe("abandoned");
    expect((await readdir(join(folder, "jobs"))).filter((name) => name.startsWith("."))).toEqual([".lock"]);
    expect(await readdir(join(folder, "memory"))).toEqual(["much.md"]);
    expect(existsSync(`/proc/${agent?.pid}/exe`)).toBe(false);
    expect(await metaOf(second, jobId)).toMatchObject({ status: "running", interruptions: 0, runner: null, agent: null });
    const third = await startResearcher(folder, model.url);
    await ended(third, jobId);
    expect(await resultOf(third, jobId)).toBe("Resumed: remember much");
    await third.end("SIGTERM");
  });
});

describe("a researcher whose parent ends", () => {
  it("goes after its parent, which could not say goodbye, and deletes with a job what a login kept of it elsewhere (REQ-WD-18)", async () => {
    const folder = await researcherFolder();
    const jobId = await (await openJobStore(join(folder, "jobs"), readSettings({}).job)).create("A job", "a task", {});
    await writeFile(join(folder, "jobs", jobId, "result.md"), "Done.");
    const session = join(folder, ".claude/projects/of-the-job", `${jobId}.jsonl`);
    await mkdir(join(session, ".."), { recursive: true });
    await writeFile(session, "{}\n");
    await mkdir(join(folder, "memory"));
    await writeFile(join(folder, "memory/.half.md.1234.tmp"), "half");
    // Neither a key nor an address: what is left is the login of the person.
    const login = { ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "", HOME: folder };
    const parent = ["-e", "require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })"];
    const member = await listening(folder, await beginResearcher(folder, model.url, login, parent));
    const answers = () =>
      member.ask("worker/list").then(
        () => true,
        () => false,
      );

    expect(await member.ask("worker/delete", { jobId })).toEqual(expect.objectContaining({ result: { jobId, deleted: true } }));
    expect(await readdir(join(folder, ".claude/projects"))).toEqual([]);
    expect(await readdir(join(folder, "memory"))).toEqual([]);
    await member.end("SIGKILL");

    await expect.poll(answers).toBe(false);
  });
});
