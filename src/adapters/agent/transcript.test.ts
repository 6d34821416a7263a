import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { newSdkSessionId } from "../../schema/ids.ts";
import { bringTranscript, projectNameOf } from "./transcript.ts";

describe("a conversation whose working folder was moved", () => {
  it("is looked for under every former path of that folder and no other, with all that belongs to it, and stays there too", async () => {
    const folder = await temporaryFolder();
    const projects = join(folder, "projects");
    const id = newSdkSessionId();
    const cwd = join(folder, "now/ses_1");
    await mkdir(cwd, { recursive: true });
    await put(join(projects, "-before-ses-2", `${id}.jsonl`), "of another folder");
    await put(join(projects, "-before-ses-1", `${id}.jsonl`), "the conversation");
    await put(join(projects, "-before-ses-1", id, "tool-results/1.txt"), "a long result");
    await put(join(projects, "-before-ses-1", "other.jsonl"), "another conversation");

    await bringTranscript(folder, cwd, id);

    const there = join(projects, projectNameOf(cwd));
    expect((await readdir(there)).toSorted()).toEqual([id, `${id}.jsonl`].toSorted());
    expect(await readFile(join(there, `${id}.jsonl`), "utf8")).toBe("the conversation");
    expect(await readFile(join(there, id, "tool-results/1.txt"), "utf8")).toBe("a long result");
    expect(await readFile(join(projects, "-before-ses-1", `${id}.jsonl`), "utf8")).toBe("the conversation");
  });

  it("is left as it is where it is in its place, and where there is none", async () => {
    const folder = await temporaryFolder();
    const [id, unknown] = [newSdkSessionId(), newSdkSessionId()];
    const cwd = join(folder, "now/ses_1");
    await mkdir(cwd, { recursive: true });
    const place = join(folder, "projects", projectNameOf(cwd), `${id}.jsonl`);
    await put(place, "newer");
    await put(join(folder, "projects/-before-ses-1", `${id}.jsonl`), "older");

    await bringTranscript(folder, cwd, id);
    await bringTranscript(folder, cwd, unknown);

    expect(await readFile(place, "utf8")).toBe("newer");
    expect(await readdir(dirname(place))).toEqual([`${id}.jsonl`]);
  });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
