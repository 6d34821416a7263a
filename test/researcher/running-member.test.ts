import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobMeta } from "../../guild-members/researcher/job.ts";
import { WorkerStatus } from "../../src/schema/job.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { call, tool } from "./agent-stage.ts";
import { researcherFolder, startResearcher } from "./member-process.ts";
import type { Researcher } from "./researcher-process.ts";

const again = call(tool("update_summary"), { summary: "Still at it." });
const note = (letter: string): Reply => call(tool("store_memory"), { key: letter, content: letter.repeat(600) });

/** What the model does is said in the task. The last reply is given again and again. */
const plays: Record<string, Reply[]> = {
  "Turn and turn.": [again],
  "Spend.": [{ ...again, usage: { inputTokens: 1_000_000, outputTokens: 10 } }],
  "Wait.": [{ fault: { how: "hang" } }],
  "Remember.": [note("m"), note("n"), { text: "Remembered." }],
};
const condensed = "Tides come twice a day.";

let model: ScriptedModel;
let member: Researcher;
beforeAll(async () => {
  model = await startScriptedModel({
    script({ system, messages }) {
      if (JSON.stringify(system).includes("You condense the memory")) return { text: condensed };
      const asked = JSON.stringify(messages);
      const replies = Object.entries(plays).find(([task]) => asked.includes(task))?.[1] ?? [{ text: "Done." }];
      return replies[Math.min(messages.filter(({ role }) => role === "assistant").length, replies.length - 1)];
    },
  });
  const limits = { WORKER_CONDENSE_ABOVE: "1000", WORKER_MEMORY_CHARACTERS: "600" };
  member = await startResearcher(await researcherFolder(), model.url, limits);
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
    expect(killed).toMatchObject({ status: "failed", error: expect.stringContaining("SIGKILL") as string });
    expect(await metaOf(jobs[2])).toMatchObject({ status: "failed", error: killed?.error, runner: null, agent: null });
  });

  it("has an id that none had before and that is safe as the name of its folder, also after others were deleted (REQ-WD-7)", async () => {
    const first = await Promise.all(Array.from({ length: 6 }, () => member.dispatch("Wait.")));
    for (const method of ["worker/cancel", "worker/delete"]) await Promise.all(first.map((jobId) => member.ask(method, { jobId })));
    const left = await readdir(join(member.folder, "jobs"));
    const second = await Promise.all(Array.from({ length: 6 }, () => member.dispatch("Wait.")));
    const folders = await readdir(join(member.folder, "jobs"));
    await Promise.all(second.map((jobId) => member.ask("worker/cancel", { jobId })));

    expect(new Set([...first, ...second]).size).toBe(12);
    expect(left.filter((name) => first.includes(name))).toEqual([]);
    expect(folders).toEqual(expect.arrayContaining(second));
  });
});

describe("the memory of the running researcher", () => {
  it("is condensed when it has grown, and the next job is told no more of it than fits (REQ-WD-26, REQ-WD-28, WD-SC-9)", async () => {
    const memory = join(member.folder, "memory");
    await ended(await member.dispatch("Remember."));
    await expect.poll(() => readFile(join(memory, "compacted.md"), "utf8").catch(() => "")).toBe(`${condensed}\n`);
    await expect.poll(() => readdir(memory)).not.toContain("m.md");
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
