import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobMeta } from "../../guild-members/researcher/job.ts";
import { JobEvents, WorkerStatus } from "../../src/schema/job.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { call, eventsOf, tool } from "./agent-stage.ts";
import { beginResearcher, researcherFolder } from "./member-process.ts";
import { listening } from "./researcher-process.ts";
import type { Researcher } from "./researcher-process.ts";

const again = call(tool("update_summary"), { summary: "Still at it." });
const note = (letter: string): Reply => call(tool("store_memory"), { key: letter, content: letter.repeat(600) });

/** What the model does is said in the task. The last reply is given again and again. */
const plays: Record<string, Reply[]> = {
  "Turn and turn.": [again],
  "Spend.": [{ ...again, usage: { inputTokens: 1_000_000, outputTokens: 10 } }],
  "Wait.": [{ fault: { how: "hang" } }],
};
const condensed = "Tides come twice a day.";

let model: ScriptedModel;
let member: Researcher;
/** The member has said that its memory is condensed. */
let isTold = false;
beforeAll(async () => {
  model = await startScriptedModel({
    script({ system, messages }) {
      // As many tokens as so many words really have.
      if (JSON.stringify(system).includes("You condense the memory"))
        return { text: condensed, usage: { inputTokens: 600, outputTokens: 10 } };
      const asked = JSON.stringify(messages);
      const step = messages.filter(({ role }) => role === "assistant").length;
      // The job goes on until its memory is condensed, and that is told.
      if (asked.includes("Remember."))
        return [note("m"), note("n")][step] ?? (isTold || step > 100 ? { text: "Remembered." } : { ...again, delayMs: 100 });
      const replies = Object.entries(plays).find(([task]) => asked.includes(task))?.[1] ?? [{ text: "Done." }];
      return replies[Math.min(step, replies.length - 1)];
    },
  });
  const limits = { WORKER_CONDENSE_ABOVE: "1000", WORKER_MEMORY_CHARACTERS: "600" };
  const folder = await researcherFolder();
  const spawned = await beginResearcher(folder, model.url, limits);
  spawned.lines.on("line", (line) => (isTold ||= line.includes("The memory was condensed")));
  member = await listening(folder, spawned);
});
afterAll(() => model.close());

describe("a job of the running researcher", () => {
  it("fails where it has had its turns or its money, and when its agent is killed, and says so (REQ-WD-32, REQ-WD-44, WD-SC-11, WD-AIV-3)", async () => {
    const jobs = await Promise.all([
      member.dispatch("Turn and turn.", { config: { maxTurns: 2 } }),
      member.dispatch("Spend.", { config: { maxBudgetUsd: 0.01 } }),
      member.dispatch("Wait."),
    ]);
    await model.waitForRequest(({ body }) => JSON.stringify(body.messages).includes("Wait."));
    process.kill((await metaOf(jobs[2])).agent?.pid ?? 0, "SIGKILL");

    const [turns, money, killed] = await Promise.all(jobs.map(ended));

    expect(turns).toMatchObject({ status: "failed", error: expect.stringContaining("limit of turns") as string, usage: { turns: 2 } });
    expect(money).toMatchObject({ status: "failed", error: expect.stringContaining("cost as much as it may") as string });
    expect(money?.usage?.costUsd).toBeGreaterThan(0.01);
    expect(killed).toMatchObject({ status: "failed", error: expect.stringContaining("SIGKILL") as string });
    expect(await metaOf(jobs[2])).toMatchObject({ status: "failed", error: killed?.error, runner: null, agent: null });
  });
});

describe("the memory of the running researcher", () => {
  it("is condensed when it has grown, by a question of its own without tools, while the job goes on and is told what that cost; the next job is told no more of it than fits (REQ-WD-26, REQ-WD-28, WD-SC-9)", async () => {
    const memory = join(member.folder, "memory");
    const jobId = await member.dispatch("Remember.");
    const { status } = await ended(jobId);
    const { events } = await member.call("worker/events", { jobId }, JobEvents);
    expect(status).toBe("completed");
    expect(eventsOf(events, "status").map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^The memory was condensed from 12\d\d to 23 characters\. It cost \$0\.00[1-9]\d\.$/),
    );
    expect((await readdir(memory)).toSorted()).toEqual([".backup", "compacted.md"]);
    expect(await readFile(join(memory, "compacted.md"), "utf8")).toBe(`${condensed}\n`);
    expect((await readdir(join(member.folder, "jobs"))).filter((name) => name.startsWith("."))).toEqual([".lock"]);
    await writeFile(join(memory, "book.md"), "b".repeat(601));

    await ended(await member.dispatch("Which tides?"));

    const asked = model.requests.find(({ conversation }) => conversation.userTexts.includes("Which tides?"));
    const prompt = asked?.conversation.system ?? "";
    expect(prompt).toContain(condensed);
    expect(prompt).toContain("book.md");
    for (const letter of ["m", "n", "b"]) expect(prompt).not.toContain(letter.repeat(20));
    const condensing = model.requests.filter(({ conversation }) => conversation.system.includes("You condense the memory"));
    expect(condensing).toHaveLength(1);
    expect(condensing[0]?.conversation.tools).toEqual([]);
    expect(condensing[0]?.conversation.userTexts[0]).toContain("mmm");
    const [backup = ""] = await readdir(join(memory, ".backup"));
    expect((await readdir(join(memory, ".backup", backup))).toSorted()).toEqual(["m.md", "n.md"]);
  });
});

const metaOf = async (jobId: string): Promise<JobMeta> =>
  JSON.parse(await readFile(join(member.folder, "jobs", jobId, "meta.json"), "utf8")) as JobMeta; // the member's own file

async function ended(jobId: string): Promise<WorkerStatus> {
  await expect.poll(() => member.status(jobId)).not.toBe("running");
  return member.call("worker/status", { jobId }, WorkerStatus);
}
