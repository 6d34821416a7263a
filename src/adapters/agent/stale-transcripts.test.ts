import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { newSdkSessionId } from "../../schema/ids.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { removeStaleTranscripts, removeTranscripts } from "./stale-transcripts.ts";
import { projectNameOf } from "./transcript.ts";

const isOurs = (name: string) => name.startsWith("ses-");

const sessionsIn = (root: string, current: string | null = null) => ({ root, work: "", isOurs, currentOf: async () => current });

/** A root with working folders, and a config folder with files in the SDK's folders for them. */
async function stage(working: readonly string[], transcripts: Record<string, readonly string[]>) {
  const folder = await temporaryFolder();
  const [root, config] = [join(folder, "sessions"), join(folder, "config")];
  for (const name of working) await mkdir(join(root, name), { recursive: true });
  for (const [cwd, names] of Object.entries(transcripts)) {
    const project = join(config, "projects", projectNameOf(join(folder, cwd)));
    for (const name of names) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), "");
    }
  }
  const left = async () =>
    (await readdir(join(config, "projects"), { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map(({ name }) => name);
  return { configFolders: [config, join(folder, "none")], root, left };
}

describe("transcripts", () => {
  it("of working folders that are gone are removed, and those of others are left alone", async () => {
    const { configFolders, root, left } = await stage(["ses_here"], {
      "sessions/ses_here": ["here.jsonl"],
      "sessions/ses_gone": ["gone.jsonl", "more/tool-results/1.txt"],
      "sessions-old/ses_here": ["beside.jsonl"],
      "sessions/other": ["not-ours.jsonl"],
      elsewhere: ["elsewhere.jsonl"],
    });

    const removed = await removeStaleTranscripts(configFolders, sessionsIn(root));

    expect(removed).toBe(1);
    expect((await left()).toSorted()).toEqual(["beside.jsonl", "elsewhere.jsonl", "here.jsonl", "not-ours.jsonl"]);
  });

  it("of a conversation that was begun anew are removed, but for the present one", async () => {
    const [former, present] = [newSdkSessionId(), newSdkSessionId()];
    const files = [
      `${former}.jsonl`,
      `${former}/tool-results/long.txt`,
      `${present}.jsonl`,
      `${present}/tool-results/kept.txt`,
      "notes.md",
    ];
    const { configFolders, root, left } = await stage(["ses_here"], { "sessions/ses_here": files });

    await removeStaleTranscripts(configFolders, sessionsIn(root, present));

    expect((await left()).toSorted()).toEqual([`${present}.jsonl`, "kept.txt", "notes.md"].toSorted());
  });

  it.each([null, newSdkSessionId()])("are all kept where nobody can tell which is the present one: %s", async (present) => {
    const files = [`${newSdkSessionId()}.jsonl`, `${newSdkSessionId()}.jsonl`];
    const { configFolders, root, left } = await stage(["ses_here"], { "sessions/ses_here": files });

    await removeStaleTranscripts(configFolders, sessionsIn(root, present));

    expect(await left()).toHaveLength(2);
  });

  it("of one working folder go with it", async () => {
    const { configFolders, root, left } = await stage(["ses_a", "ses_b"], { "sessions/ses_a": ["a.jsonl"], "sessions/ses_b": ["b.jsonl"] });

    await removeTranscripts(configFolders, sessionsIn(root), "ses_a");

    expect(await left()).toEqual(["b.jsonl"]);
  });

  it("of another kind of owner are found by its own working folders, and those beside them are left alone", async () => {
    const { configFolders, root, left } = await stage(["job_here/work"], {
      "sessions/job_here/work": ["here.jsonl"],
      "sessions/job_gone/work": ["gone.jsonl"],
      "sessions/job_gone/elsewhere": ["elsewhere.jsonl"],
      "sessions/job_deleted/work": ["deleted.jsonl"],
      "sessions/ses_gone": ["of-a-session.jsonl"],
    });
    const jobs = { root, work: "work", isOurs: (name: string) => name.startsWith("job-"), currentOf: async () => null };

    await removeTranscripts(configFolders, jobs, "job_deleted");
    const removed = await removeStaleTranscripts(configFolders, jobs);

    expect(removed).toBe(1);
    expect((await left()).toSorted()).toEqual(["elsewhere.jsonl", "here.jsonl", "of-a-session.jsonl"]);
  });

  it("are found where the path is too long for the SDK to name a folder after it", async () => {
    const folder = await temporaryFolder();
    const [root, config] = [join(folder, "l".repeat(100), "o".repeat(100), "sessions"), join(folder, "config")];
    for (const name of ["ses_here", "ses_deleted"]) await mkdir(join(root, name), { recursive: true });
    const kept = async (cwd: string, hash: string, lines: readonly object[]) => {
      const project = join(config, "projects", `${projectNameOf(cwd).slice(0, 200)}-${hash}`);
      await mkdir(project, { recursive: true });
      await writeFile(join(project, `${newSdkSessionId()}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    };
    const about = (cwd: string) => [{ type: "queue-operation" }, { type: "user", cwd }, { type: "user", cwd: "/later" }];
    for (const [hash, name] of Object.entries({ aa: "ses_here", bb: "ses_deleted", cc: "ses_gone", dd: "other" }))
      await kept(join(root, name), hash, about(join(root, name)));
    await kept(join(root, "ses_gone"), "ee", about(`${root}-beside/ses_gone`));
    await kept(join(root, "ses_gone"), "ff", [{ type: "queue-operation" }]);
    const left = async () => (await readdir(join(config, "projects"))).map((name) => name.slice(201)).toSorted();

    await removeTranscripts([config], sessionsIn(root), "ses_deleted");
    expect(await left()).toEqual(["aa", "cc", "dd", "ee", "ff"]);
    const removed = await removeStaleTranscripts([config], sessionsIn(root));

    expect(removed).toBe(1);
    expect(await left()).toEqual(["aa", "dd", "ee", "ff"]);
  });

  it("are all kept where the root cannot be read", async () => {
    const { configFolders, root, left } = await stage(["ses_a"], { "sessions/ses_a": ["a.jsonl"], "sessions/ses_b": ["b.jsonl"] });

    await expect(removeStaleTranscripts(configFolders, sessionsIn(`${root}/none`))).rejects.toThrow("ENOENT");

    expect(await left()).toHaveLength(2);
  });
});
