import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import { call, eventsOf, setStage, tool } from "./agent-stage.ts";

describe("a job whose memory has grown too large", () => {
  it("has it condensed by a question of its own, without tools, does not wait for it, and is told what that cost (REQ-WD-26, REQ-WD-28)", async () => {
    const condenses = "You condense the memory";
    const condensed = `Kettles boil. ${"k".repeat(23_000)}`;
    // As many tokens as so many words really have, on the model that the SDK takes by itself.
    const usage = { inputTokens: 12_000, outputTokens: 7_500 };
    const stage = await setStage((request) => {
      const { system, step, userTexts } = readConversation(request);
      if (system.includes(condenses)) return { text: condensed, usage };
      if (userTexts[0] !== "Remember.") return { text: "Done." };
      if (step === 1) return call(tool("store_memory"), { key: "last", content: "z".repeat(600) });
      // The job goes on until its memory is condensed.
      const isCondensed = stage.reports.length > 0 || step > 100;
      return isCondensed ? { text: "Done." } : { ...call(tool("update_summary"), { summary: `Step ${step}.` }), delayMs: 100 };
    });
    const folder = join(stage.folder, "memory");
    await mkdir(folder);
    for (const name of ["first.md", "second.md", "third.md"]) await writeFile(join(folder, name), `${name} ${"y".repeat(14_000)}`);

    const { meta, events } = await stage.play("Remember.");
    await stage.play("What do you know?");

    expect(stage.reports).toEqual([
      expect.stringMatching(/^The memory was condensed from 426\d\d to 23014 characters\. It cost \$0\.[1-9]\d+\.$/),
    ]);
    expect(eventsOf(events, "status").map(({ text }) => text)).toContain(stage.reports[0]);
    expect(meta.status).toBe("completed");
    expect((await readdir(folder)).toSorted()).toEqual([".backup", "compacted.md"]);
    expect(await readFile(join(folder, "compacted.md"), "utf8")).toBe(`${condensed}\n`);
    expect((await readdir(join(stage.folder, "jobs"))).filter((name) => name.startsWith("."))).toEqual([]);
    const asked = stage.model.requests.filter(({ conversation }) => conversation.system.includes(condenses));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.conversation.tools).toEqual([]);
    expect(asked[0]?.conversation.userTexts[0]).toContain("zzz");
    const last = stage.model.requests.find(({ conversation }) => conversation.userTexts[0] === "What do you know?");
    expect(last?.conversation.system).toContain("Kettles boil.");
  });
});
