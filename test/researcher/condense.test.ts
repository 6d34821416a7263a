import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import { call, setStage, tool } from "./agent-stage.ts";

describe("a job whose memory has grown too large", () => {
  it("has it condensed by a question of its own, without tools, and does not wait for it (REQ-WD-26, REQ-WD-28)", async () => {
    const condenses = "You condense the memory";
    let refusals = 1;
    const stage = await setStage((request) => {
      const { system, step } = readConversation(request);
      if (!system.includes(condenses)) {
        return step === 1 ? call(tool("store_memory"), { key: "last", content: "z".repeat(600) }) : { text: "Done." };
      }
      refusals -= 1;
      return refusals < 0 ? { text: "Kettles boil." } : { error: { status: 403, message: "Not now." } };
    });
    const folder = join(stage.folder, "memory");
    await mkdir(folder);
    await writeFile(join(folder, "first.md"), `first ${"y".repeat(600)}`);

    const { meta } = await stage.play("Remember.", { condenseAbove: 1_000 });
    await expect.poll(() => stage.problems).toEqual([expect.stringContaining("403")]);
    const afterFailure = await readdir(folder);
    await stage.play("Remember again.", { condenseAbove: 1_000 });
    await expect.poll(async () => (await readdir(folder)).toSorted()).toEqual([".backup", "compacted.md"]);
    await stage.play("What do you know?");

    expect(meta.status).toBe("completed");
    expect(afterFailure.toSorted()).toEqual(["first.md", "last.md"]);
    expect(await readFile(join(folder, "compacted.md"), "utf8")).toBe("Kettles boil.\n");
    const asked = stage.model.requests.filter(({ conversation }) => conversation.system.includes(condenses));
    expect(asked.at(-1)?.conversation.tools).toEqual([]);
    expect(asked.at(-1)?.conversation.userTexts[0]).toContain("zzz");
    const last = stage.model.requests.find(({ conversation }) => conversation.userTexts[0] === "What do you know?");
    expect(last?.conversation.system).toContain("Kettles boil.");
  });
});
