import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groupIsAlive } from "../../src/adapters/agent/agent-stage.testing.ts";
import { call, setStage, tool } from "./agent-stage.ts";

describe("the researcher's agent", () => {
  it("takes up an interrupted job where it was, and one whose session is broken from the start (REQ-WD-47)", async () => {
    const stage = await setStage([
      { when: { step: 1, userContains: "bread" }, reply: call(tool("update_summary"), { summary: "Kneading." }) },
      { when: { step: 2, userContains: "bread" }, times: 1, reply: { fault: { how: "hang" } } },
      { when: { step: 1, userContains: "You were interrupted" }, reply: call(tool("submit_result"), { output: "Bread." }) },
      { when: { step: 2, userContains: "bread" }, reply: { text: "All anew." } },
      { reply: { text: "Done." } },
    ]);
    const [resumed, anew] = await Promise.all([stage.dispatch("How is bread made?"), stage.dispatch("How is bread sold?")]);
    await stage.model.waitForRequest(4);
    const projects = join(stage.folder, "jobs", anew, "sdk/config/projects");

    await stage.queue().stop();
    const [project = ""] = await readdir(projects);
    await writeFile(join(projects, project, `${anew}.jsonl`), "what a disk made of it");
    const left = stage.store.find(resumed)?.meta;
    await stage.restart(resumed, anew);
    await stage.queue().settled(resumed);
    await stage.queue().settled(anew);

    expect(left).toMatchObject({ status: "running", attempt: 1 });
    const ends = await Promise.all([stage.look(resumed), stage.look(anew)]);
    expect(ends.map(({ meta, result }) => [meta.status, meta.attempt, result])).toEqual([
      ["completed", 2, "Bread."],
      ["completed", 2, "All anew."],
    ]);
    const onwards = stage.model.requests.find(({ conversation }) => conversation.userTexts.at(-1)?.startsWith("You were interrupted"));
    expect(onwards?.conversation.userTexts[0]).toBe("How is bread made?");
    expect(JSON.stringify(onwards?.body.messages)).toContain("Kneading.");
    expect(ends[0]?.meta.usage.turns).toBe(3);
  });

  it("is gone with all it started when its job is cancelled, and says so when it is killed (REQ-WD-16)", async () => {
    const stage = await setStage([{ reply: { text: "I think", fault: { how: "stall", afterChunks: 1 } } }]);
    const [cancelled, killed] = await Promise.all([stage.dispatch("one"), stage.dispatch("two")]);
    const request = await stage.model.waitForRequest(2);
    const [pid, other] = [cancelled, killed].map((id) => stage.store.find(id)?.meta.agent?.pid ?? 0);

    await stage.queue().cancel(cancelled);
    const isLeft = groupIsAlive(pid ?? 0);
    process.kill(other ?? 0, "SIGKILL");
    await stage.queue().settled(killed);

    expect(isLeft).toBe(false);
    expect(await request.ended).toBe("abandoned");
    expect(stage.store.find(cancelled)?.meta.status).toBe("cancelled");
    expect(stage.store.find(killed)?.meta.error).toContain("SIGKILL");
  });
});
