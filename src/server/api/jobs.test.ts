import { describe, expect, it, onTestFinished } from "vitest";
import { putMember } from "../../../test/server/members-by-hand.ts";
import { playedBy } from "../../adapters/members/played-member.testing.ts";
import { playedWorker } from "../../adapters/members/played-worker.testing.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { MemberName } from "../../schema/ids.ts";
import { Problem } from "../../schema/problem.ts";
import { composeTestHall } from "../composed-hall.testing.ts";
import type { TestHall } from "../composed-hall.testing.ts";

const jobs = "/api/workers/played/jobs";
const nobody = "d2719ab3-0001-4000-8000-000000000001";

describe("jobs over the API", () => {
  it("are dispatched, read, followed, answered, hidden, cancelled and deleted (REQ-WD-3, REQ-WD-5, REQ-WD-11, REQ-WD-12, REQ-WD-13, REQ-WD-15, REQ-WD-16)", async () => {
    const hall = await hallWithWorker();
    const { client } = hall;
    const told = listen(hall);
    const task = [
      "say Looking.",
      "use WebSearch",
      "progress Half way.",
      "ask Which year?",
      "decide a | b | c",
      "write notes/a.md # Notes",
      "wait",
      "result It is 42.",
    ];

    const { jobId } = await client.jobs.dispatch("played", { description: "Find the answer", task: task.join("\n"), config: { depth: 2 } });
    const running = await client.jobs.get("played", jobId);
    const early = client.jobs.result("played", jobId);
    await expect(early).rejects.toMatchObject({ code: "conflict" });
    await expect(client.jobs.remove("played", jobId)).rejects.toMatchObject({ code: "conflict" });
    const followed = follow(hall, jobId);
    await client.tools.invoke({ member: played, tool: "go_on", input: { jobId } });
    const result = await client.jobs.result("played", jobId);

    expect(running).toMatchObject({
      worker: "played",
      status: "running",
      summary: "Half way.",
      questions: ["Which year?"],
      decisions: [{ question: "a", decision: "b", reasoning: "c" }],
      task: task.join("\n"),
      config: { depth: 2 },
      usage: { turns: 1, maxTurns: 150 },
      asked: [{ question: "Which year?", answer: null }],
      openQuestions: 1,
      offers: { events: true, artifacts: true },
      hidden: false,
    });
    expect(result).toEqual({ jobId, output: "It is 42.", artifacts: ["artifacts/notes/a.md"] });
    expect(await followed).toEqual([
      "status",
      "text",
      "tool_use",
      "tool_result",
      "progress",
      "question",
      "decision",
      "artifact",
      "status",
      "done",
    ]);
    await expect.poll(() => told).toContainEqual({ id: `played/${jobId}`, status: "completed", change: "ended" });
    expect(told).toContainEqual({ id: `played/${jobId}`, status: "running" });

    const { events } = await client.jobs.events("played", jobId);
    const later = await client.jobs.events("played", jobId, { after: events[3]?.id ?? 0 });
    expect(later.events).toEqual(events.slice(4));

    const { followUp } = await client.jobs.answer("played", jobId, { question: "Which year?", answer: "This one." });
    expect(await client.jobs.answer("played", jobId, { question: "Which year?", answer: "This one." })).toEqual({ jobId, followUp });
    expect(await client.jobs.get("played", followUp)).toMatchObject({ task: expect.stringContaining("This one.") as string });
    expect((await client.jobs.get("played", jobId)).asked).toMatchObject([{ isOpen: false, answer: { text: "This one.", followUp } }]);
    expect((await client.jobs.list()).counts.needsYou).toBe(1);
    expect(await client.jobs.dismiss("played", followUp, "Which year?")).toMatchObject({ jobId: followUp, openQuestions: 0 });
    expect((await client.jobs.list()).counts.needsYou).toBe(0);

    expect(await client.jobs.remove("played", jobId)).toEqual({ jobId, deleted: true });
    await expect(client.jobs.get("played", jobId)).rejects.toMatchObject({ code: "not_found" });
    const { jobId: waiting } = await client.jobs.dispatch("played", { description: "Waits", task: "wait" });
    expect(await client.jobs.cancel("played", waiting)).toEqual({ jobId: waiting, status: "cancelled" });
    expect(await client.jobs.cancel("played", waiting)).toEqual({ jobId: waiting, status: "cancelled" });
    const { jobId: failing } = await client.jobs.dispatch("played", { description: "Fails", task: "fail It rained." });
    await expect(client.jobs.remove("played", failing)).rejects.toMatchObject({ code: "conflict" });
    expect(await client.jobs.hide("played", failing)).toMatchObject({ jobId: failing, hidden: true });

    const { jobs: listed, counts } = await client.jobs.list({ status: ["failed", "cancelled"] });
    expect(listed.map(({ jobId: id }) => id)).toEqual([waiting]);
    expect(counts).toMatchObject({ completed: 0, failed: 0, cancelled: 1 });
    expect((await client.jobs.list({ filter: "F*s", hidden: true })).jobs.map(({ jobId: id }) => id)).toEqual([failing]);
    const repeated = await hall.ask("GET", "/api/jobs?status=failed&status=cancelled&hidden=true");
    expect(repeated.body).toMatchObject({ jobs: [{ jobId: failing }, { jobId: waiting }] });
    expect(await client.jobs.show("played", failing)).toMatchObject({ hidden: false });
  });

  it("hand out what they made as a file to save, never as a page of ours (SEC-6, SEC-8)", async () => {
    const hall = await hallWithWorker();
    const { jobId } = await hall.client.jobs.dispatch("played", {
      description: "Writes",
      task: "write page.html <script>alert(1)</script>",
    });
    const get = (path: string, headers: Record<string, string> = {}) => hall.fetch(new Request(`http://hall${path}`, { headers }));
    const address = hall.client.jobs.artifactAddress("played", jobId, "artifacts/page.html");

    const whole = await get(address);
    const part = await get(address, { range: "bytes=1-6" });

    expect(whole.headers.get("content-disposition")).toContain('attachment; filename="page.html"');
    expect(whole.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(whole.headers.get("content-security-policy")).toContain("sandbox");
    expect(await whole.text()).toBe("<script>alert(1)</script>");
    expect([part.status, await part.text()]).toEqual([206, "script"]);
    expect((await get(hall.client.jobs.artifactAddress("played", jobId, "none.md"))).status).toBe(404);
    expect((await get(`${jobs}/${jobId}/artifacts/a%2F..%2F..%2Fb`)).status).toBe(400);
  });

  it("answer what is wrong, not there or not possible with a problem of the right kind (REQ-WD-46, SEC-7)", async () => {
    const hall = await hallWithWorker();
    const cases: [method: string, path: string, body: unknown, status: number, code: string][] = [
      ["GET", "/api/workers/No/jobs/x", undefined, 400, "invalid_id"],
      ["GET", `${jobs}/..x`, undefined, 400, "invalid_id"],
      ["POST", `${jobs}/${"x".repeat(129)}/cancel`, undefined, 400, "invalid_id"],
      ["POST", "/api/workers/nobody/jobs", { description: "x", task: "y" }, 404, "not_found"],
      ["GET", `${jobs}/${nobody}`, undefined, 404, "not_found"],
      ["GET", `${jobs}/${nobody}/result`, undefined, 404, "not_found"],
      ["GET", `${jobs}/${nobody}/events`, undefined, 404, "not_found"],
      ["GET", `${jobs}/${nobody}/artifacts/a.md`, undefined, 404, "not_found"],
      ["POST", `${jobs}/${nobody}/cancel`, undefined, 404, "not_found"],
      ["POST", `${jobs}/${nobody}/answer`, { question: "a", answer: "b" }, 404, "not_found"],
      ["POST", `${jobs}/${nobody}/dismiss`, { question: "a" }, 404, "not_found"],
      ["POST", `${jobs}/${nobody}/hide`, undefined, 404, "not_found"],
      ["DELETE", `${jobs}/${nobody}/hide`, undefined, 404, "not_found"],
      ["DELETE", `${jobs}/${nobody}`, undefined, 404, "not_found"],
      ["POST", jobs, { description: "x" }, 400, "bad_request"],
      ["POST", jobs, { description: "play: bad settings", task: "y" }, 400, "bad_request"],
      ["POST", jobs, { description: "play: HTTP 500", task: "y" }, 502, "member_failed"],
      ["POST", `${jobs}/${nobody}/answer`, { question: "a", answer: " " }, 400, "bad_request"],
      ["GET", "/api/jobs?status=asleep", undefined, 400, "bad_request"],
      ["GET", "/api/jobs?cursor=x", undefined, 400, "bad_request"],
      ["GET", `${jobs}/${nobody}/events?after=-1`, undefined, 400, "bad_request"],
    ];

    const answers = await Promise.all(cases.map(([method, path, body]) => hall.ask(method, path, body)));

    const found = answers.map(({ status, body }, at) => [...(cases[at] ?? []).slice(0, 3), status, Problem.parse(body).code]);
    expect(found).toEqual(cases);
  });

  it("are not taken by a member that only has tools, and nothing is sent to it (REQ-WD-45)", async () => {
    const hall = await hallWithWorker({ additions: false });
    await putMember(hall.home, "scribe", playedBy("stdio", "well"));
    await untilConnected(hall, "scribe");

    const answer = await hall.ask("POST", "/api/workers/scribe/jobs", { description: "x", task: "y" });

    expect([answer.status, Problem.parse(answer.body)]).toMatchObject([
      409,
      { code: "conflict", detail: expect.stringContaining("takes no jobs") as string },
    ]);
    expect((await hall.client.jobs.list()).missing).toEqual([]);
    const asked = await hall.client.tools.invoke({ member: MemberName.parse("scribe"), tool: "what-was-asked", input: {} });
    const methods = JSON.stringify(asked);
    expect(methods).toContain("tools/call");
    expect(methods).not.toContain("worker/");
  });

  it("are not asked about any more for readers who have left (SEC-15)", async () => {
    const hall = await hallWithWorker();
    const { jobId } = await hall.client.jobs.dispatch("played", { description: "Long", task: "say Hello.\nwait" });
    const asked = async () => JSON.stringify((await hall.client.tools.invoke({ member: played, tool: "asked", input: {} })).content);
    const leaving = new AbortController();
    let heard = 0;
    const read = async () => {
      for await (const _ of hall.client.jobs.follow("played", jobId, { signal: leaving.signal })) heard += 1;
    };
    const readers = Array.from({ length: 20 }, read);
    // All has been told, and each waits for what may come.
    await expect.poll(() => heard).toBe(40);

    leaving.abort();
    await Promise.allSettled(readers);

    // With readers it would be asked some hundred times between two looks.
    let before = "";
    await expect.poll(async () => before === (before = await asked()), { interval: 800, timeout: 15_000 }).toBe(true);
  });

  it("of a worker that knows only the six methods have no events and no files, and all else", async () => {
    const hall = await hallWithWorker({ additions: false });
    const { jobId } = await hall.client.jobs.dispatch("played", { description: "Plain", task: "ask Which?\nresult Done." });

    expect(await hall.client.jobs.get("played", jobId)).toMatchObject({ offers: { events: false, artifacts: false }, openQuestions: 1 });
    expect((await hall.client.jobs.list({ needsYou: true })).jobs).toMatchObject([{ jobId, startedAt: expect.any(String) as string }]);
    await expect(hall.client.jobs.events("played", jobId)).rejects.toMatchObject({ code: "conflict" });
    expect((await hall.ask("GET", `${jobs}/${jobId}/artifacts/a.md`)).status).toBe(409);
  });
});

const played = MemberName.parse("played");

async function hallWithWorker(play: Parameters<typeof playedWorker>[0] = {}): Promise<TestHall> {
  const hall = await composeTestHall({ prepare: (home) => putMember(home, "played", playedWorker({ tools: true, ...play })) });
  await untilConnected(hall, "played");
  return hall;
}

async function untilConnected(hall: TestHall, name: string): Promise<void> {
  const status = async () => (await hall.client.roster.list()).members.find((member) => member.name === name)?.status;
  await expect.poll(status).toBe("connected");
}

type JobNews = Extract<HallEvent, { event: "job" }>["data"];

/** What the hall tells of jobs from now on. */
function listen({ client }: TestHall): JobNews[] {
  const told: JobNews[] = [];
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const read = async () => {
    for await (const { event } of client.events({ signal: leaving.signal })) if (event.event === "job") told.push(event.data);
  };
  read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return told;
}

/** The kinds of what happens in a job, to its end. */
async function follow({ client }: TestHall, jobId: string): Promise<string[]> {
  const seen: string[] = [];
  for await (const { event } of client.jobs.follow("played", jobId)) seen.push(event.event === "entry" ? event.data.type : event.event);
  return seen;
}
