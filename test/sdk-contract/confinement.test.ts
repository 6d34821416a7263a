import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { allow, writing } from "./stage-tools.ts";
import { setStage } from "./stage.ts";

const reading = (path: string) => ({ name: "Read", input: { file_path: path } });

const walls = { settings: { permissions: { blockWritesOutsideWorkingDirectories: true, blockReadsOutsideWorkingDirectories: true } } };

describe.concurrent("under a hook that allows everything", () => {
  it("the block settings refuse paths outside the working folder and only those", async (context) => {
    const calls = [writing("../a.txt", "text"), reading("/etc/hosts"), writing("b.txt", "text"), reading("b.txt")];
    const { play, cwd } = await setStage(context, [{ tools: calls }, { text: "Done." }]);

    const { shown } = await play("Go.", { tools: ["Write", "Read"], ...walls });

    const results = shown[1]?.slice(-4);
    expect(results?.map((line) => line.split(" ", 1)[0])).toEqual(["error", "error", "result", "result"]);
    expect(results?.[0]).toContain(
      "the permissions.blockWritesOutsideWorkingDirectories setting blocks writes outside the working directories",
    );
    expect(results?.[1]).toContain(
      "the permissions.blockReadsOutsideWorkingDirectories setting blocks reads outside the working directories",
    );
    expect(await readdir(cwd)).toEqual(["b.txt"]);
    expect(await readdir(dirname(cwd))).not.toContain("a.txt");
  });

  it("the block settings refuse a path that the hook put in place of the model's", async (context) => {
    const { play, cwd } = await setStage(context, [{ tools: [writing("a.txt", "text")] }, { text: "Done." }]);
    const outside = join(dirname(cwd), "a.txt");

    const { shown } = await play("Go.", {
      tools: ["Write"],
      gate: () => allow({ updatedInput: { file_path: outside, content: "text" } }),
      ...walls,
    });

    expect(shown[1]?.at(-1)).toContain(`${outside} is outside ${cwd}`);
    expect(await readdir(dirname(cwd))).not.toContain("a.txt");
  });

  it("a path outside is written without the block settings", async (context) => {
    const { play, cwd } = await setStage(context, [{ tools: [writing("../a.txt", "text")] }, { text: "Done." }]);

    await play("Go.", { tools: ["Write"] });

    expect(await readdir(dirname(cwd))).toContain("a.txt");
  });
});
