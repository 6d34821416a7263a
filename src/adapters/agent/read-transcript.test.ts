import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { newSdkSessionId } from "../../schema/ids.ts";
import { readTranscript } from "./read-transcript.ts";
import { projectNameOf } from "./transcript.ts";

const said = (uuid: string, content: unknown) =>
  JSON.stringify({ type: "user", uuid, isSidechain: false, message: { role: "user", content } });
const texts = (...each: string[]) => each.map((text) => ({ type: "text", text }));
const result = { type: "tool_result", tool_use_id: "t1", content: "Read." };

async function prefaceIn(...lines: string[]): Promise<string | null> {
  const config = await temporaryFolder();
  const cwd = await realpath(await temporaryFolder());
  const id = newSdkSessionId();
  const folder = join(config, "projects", projectNameOf(cwd));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${id}.jsonl`), lines.join("\n"));
  return (await readTranscript(config, cwd, { id, resume: true })).preface;
}

describe("the preface that a transcript holds", () => {
  it("is none in the transcript of an earlier version, whose prompts are plain texts", async () => {
    expect(await prefaceIn(said("1", "The prompt."), said("2", texts("Another.")))).toBeNull();
  });

  it("is the one before, if the process died while it wrote the next", async () => {
    const next = said("2", texts("The new file.", "Go on."));

    expect(await prefaceIn(said("1", texts("The file.", "Hi.")), next)).toBe("The new file.");
    expect(await prefaceIn(said("1", texts("The file.", "Hi.")), next.slice(0, -5))).toBe("The file.");
  });

  it("is not taken from results of tools or from a compaction that a result tells of", async () => {
    const boundary = { type: "system", subtype: "compact_boundary" };
    const tool = said("2", [result, { ...result, content: JSON.stringify(boundary) }]);

    expect(await prefaceIn(said("1", texts("The file.", "Hi.")), tool)).toBe("The file.");
    expect(await prefaceIn(said("1", texts("The file.", "Hi.")), JSON.stringify(boundary))).toBeNull();
  });
});
