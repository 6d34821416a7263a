import type { BuiltInTool } from "../../schema/agent-profile.ts";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createConfinement } from "./confine.ts";
import type { Verdict } from "./confine.ts";

const everyTool: BuiltInTool[] = ["Read", "Grep", "Glob", "Write", "Edit"];

/** A session's folder with a few traps, beside things it must not reach. */
async function setTraps() {
  const top = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-confine-")));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const work = join(top, "work");
  const artifacts = join(work, "artifacts");
  await mkdir(join(work, "notes"), { recursive: true });
  await mkdir(artifacts);
  await mkdir(join(top, "work-of-another"));
  await mkdir(join(top, "secret"));
  await writeFile(join(work, "notes/plan.md"), "plan");
  await writeFile(join(artifacts, "old.md"), "old");
  await writeFile(join(top, "secret/key.txt"), "key");
  await writeFile(join(top, "work-of-another/x.txt"), "theirs");
  await symlink(join(top, "secret"), join(work, "to-folder"));
  await symlink(join(top, "secret/key.txt"), join(work, "to-file"));
  await symlink(join(top, "secret/not-yet.txt"), join(artifacts, "to-nowhere"));
  await symlink(join(top, "secret"), join(artifacts, "to-folder"));
  await symlink(join(work, "notes/plan.md"), join(work, "to-inside"));
  await symlink("loop", join(work, "loop"));
  const server = createServer().listen(join(work, "socket"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const confine = createConfinement({ cwd: work, read: [work], write: [artifacts] }, everyTool);
  return { top, work, artifacts, confine };
}

const refused = (verdict: Verdict): boolean => !verdict.allowed;

describe("reading", () => {
  it("gives the tool the real path of a file within reach", async () => {
    const { work, confine } = await setTraps();

    const plain = await confine("Read", { file_path: "notes/plan.md", limit: 3 });
    const linked = await confine("Read", { file_path: join(work, "to-inside") });

    expect(plain).toEqual({ allowed: true, input: { file_path: join(work, "notes/plan.md"), limit: 3 } });
    expect(linked).toEqual({ allowed: true, input: { file_path: join(work, "notes/plan.md") } });
  });

  it.each([
    ["climbs", "../secret/key.txt"],
    ["climbs from below", "notes/../../secret/key.txt"],
    ["is absolute", "/etc/passwd"],
    ["is a link to a file outside", "to-file"],
    ["goes through a link to a folder outside", "to-folder/key.txt"],
    ["is a link to itself", "loop"],
    ["is the environment of a process", "/proc/self/environ"],
    ["begins with a home", "~/.ssh/id_rsa"],
    ["is the home of somebody", "~root/.profile"],
    ["hides behind white space", " /etc/passwd"],
    ["hides a link behind white space", "to-file "],
    ["holds a NUL", "notes/plan.md\u0000.txt"],
    ["holds a line break", "notes/plan.md\n/etc/passwd"],
    ["is very long", `${"a/".repeat(5_000)}x`],
    ["has a very long name", "a".repeat(300)],
    ["looks like a climb in wide letters", "．．/secret/key.txt"],
    ["is not in composed form", "notes/pla\u006e\u0303.md"],
    ["is empty", ""],
    ["is a folder", "notes"],
    ["is a socket", "socket"],
    ["does not exist", "notes/missing.md"],
  ])("refuses a path that %s (SEC-8)", async (_why, path) => {
    const { confine } = await setTraps();

    const verdicts = [await confine("Read", { file_path: path })];

    expect(verdicts.every(refused)).toBe(true);
  });

  it("refuses a neighbour whose name begins the same (SEC-8)", async () => {
    const { top, confine } = await setTraps();

    const verdict = await confine("Read", { file_path: join(top, "work-of-another/x.txt") });

    expect(refused(verdict)).toBe(true);
  });

  it("says the same of what is outside whether it exists or not", async () => {
    const { top, confine } = await setTraps();
    const ask = async (name: string) => JSON.stringify(await confine("Read", { file_path: join(top, "secret", name) })).replace(name, "");

    expect(await ask("key.txt")).toBe(await ask("missing.txt"));
  });

  it.each([{ file_path: 7 }, {}, { file_path: ["a"] }, null, "notes/plan.md"])("refuses input that is no path: %j", async (input) => {
    const { confine } = await setTraps();

    expect(refused(await confine("Read", input))).toBe(true);
  });

  it("follows a folder that was swapped for a link after the run began (SEC-8)", async () => {
    const { top, work, confine } = await setTraps();
    const path = join(work, "notes/key.txt");
    await writeFile(path, "mine");
    const before = await confine("Read", { file_path: path });

    await rm(join(work, "notes"), { recursive: true });
    await symlink(join(top, "secret"), join(work, "notes"));
    const after = await confine("Read", { file_path: path });

    expect([before, after].map(refused)).toEqual([false, true]);
  });
});

describe("searching", () => {
  it("starts at a real folder within reach", async () => {
    const { work, confine } = await setTraps();

    expect(await confine("Grep", { pattern: "x", glob: "*.md" })).toEqual({
      allowed: true,
      input: { pattern: "x", glob: "*.md", path: work },
    });
    expect(await confine("Glob", { pattern: "notes/*.md" })).toEqual({
      allowed: true,
      input: { pattern: "*.md", path: join(work, "notes") },
    });
    expect(await confine("Glob", { pattern: `${work}/notes/**` })).toEqual({
      allowed: true,
      input: { pattern: "**", path: join(work, "notes") },
    });
    expect(await confine("Glob", { pattern: "notes/*.{md,txt}" })).toEqual({
      allowed: true,
      input: { pattern: "*.{md,txt}", path: join(work, "notes") },
    });
    expect(await confine("Glob", { pattern: "plan.md", path: "notes" })).toEqual({
      allowed: true,
      input: { pattern: "plan.md", path: join(work, "notes") },
    });
  });

  it.each([
    ["Grep", { pattern: "root", path: "/etc" }],
    ["Grep", { pattern: "KEY", path: "/proc/self/environ" }],
    ["Grep", { pattern: "key", path: "to-folder" }],
    ["Grep", { pattern: "key", path: "to-file" }],
    ["Grep", { pattern: "key", path: ".." }],
    ["Grep", { pattern: "key", glob: "../secret/*" }],
    ["Grep", { pattern: "key", glob: "{a,../secret/*}" }],
    ["Grep", { pattern: "key", glob: "/etc/*" }],
    ["Glob", { pattern: "/etc/*" }],
    ["Glob", { pattern: "/**" }],
    ["Glob", { pattern: "../**" }],
    ["Glob", { pattern: "notes/../../secret/*" }],
    ["Glob", { pattern: "{notes,/etc}/*" }],
    ["Glob", { pattern: "{a,..}/secret/*" }],
    ["Glob", { pattern: ".{.,a}/secret/*" }],
    ["Glob", { pattern: "{,a}/etc/passwd" }],
    ["Glob", { pattern: "notes/{.,{.,a}}./../secret/*" }],
    ["Glob", { pattern: "(.|a)./secret/*" }],
    ["Glob", { pattern: "{a,b".repeat(3) }],
    ["Glob", { pattern: "{a,b}".repeat(9) }],
    ["Grep", { pattern: "key", glob: ".{.,a}/secret/*" }],
    ["Grep", { pattern: "key", glob: "{,a}/etc/passwd" }],
    ["Glob", { pattern: "~/**" }],
    ["Glob", { pattern: "to-folder/*" }],
    ["Glob", { pattern: "*", path: "/" }],
    ["Glob", { pattern: "*", path: "to-folder" }],
    ["Glob", { pattern: "*\u0000" }],
    ["Glob", { pattern: "*".repeat(5_000) }],
    ["Glob", {}],
  ])("refuses %s %j (SEC-8)", async (tool, input) => {
    const { confine } = await setTraps();

    expect(refused(await confine(tool, input))).toBe(true);
  });

  it("refuses a search in the working folder when that is not within reach", async () => {
    const { top, work } = await setTraps();
    const confine = createConfinement({ cwd: top, read: [work], write: [] }, everyTool);

    expect(refused(await confine("Grep", { pattern: "key" }))).toBe(true);
  });
});

describe.each(["Write", "Edit"] as const)("%s", (tool) => {
  it("reaches old and new files in the folders for writing, new folders included", async () => {
    const { artifacts, confine } = await setTraps();

    for (const path of ["artifacts/old.md", "artifacts/new.md", "artifacts/a/b/c.md"]) {
      const verdict = await confine(tool, { file_path: path, content: "x" });

      expect(verdict).toEqual({ allowed: true, input: { file_path: join(artifacts, path.slice("artifacts/".length)), content: "x" } });
    }
  });

  it.each([
    ["is only for reading", "notes/plan.md"],
    ["is new, but only for reading", "new.md"],
    ["climbs", "artifacts/../new.md"],
    ["is absolute", "/tmp/new.md"],
    ["is a link to nowhere yet", "artifacts/to-nowhere"],
    ["goes through a link", "artifacts/to-folder/new.md"],
    ["goes through a link into new folders", "artifacts/to-folder/a/b.md"],
    ["goes through a file", "artifacts/old.md/new.md/x"],
    ["is the folder itself", "artifacts"],
    ["holds a NUL", "artifacts/a\u0000b"],
  ])("refuses a path that %s (SEC-8)", async (_why, path) => {
    const { confine } = await setTraps();

    expect(refused(await confine(tool, { file_path: path, content: "x" }))).toBe(true);
  });

  it("refuses a link even to a file that may be written (SEC-8)", async () => {
    const { artifacts, confine } = await setTraps();
    await symlink(join(artifacts, "old.md"), join(artifacts, "alias.md"));

    expect(refused(await confine(tool, { file_path: "artifacts/alias.md" }))).toBe(true);
  });
});

describe("any other tool", () => {
  it.each(["Bash", "Task", "Skill", "NotebookEdit", "read", "constructor"])("%s is refused", async (tool) => {
    const { confine } = await setTraps();

    expect(refused(await confine(tool, { file_path: "notes/plan.md" }))).toBe(true);
  });

  it("is refused when it exists but was not offered", async () => {
    const { work } = await setTraps();
    const confine = createConfinement({ cwd: work, read: [work], write: [work] }, ["Read"]);

    expect(refused(await confine("Write", { file_path: "new.md" }))).toBe(true);
  });
});

it("never lets any spelling of a path out (SEC-8)", async () => {
  const { top, work, confine } = await setTraps();
  const piece = fc.constantFrom(
    "..",
    ".",
    "",
    "notes",
    "artifacts",
    "to-folder",
    "to-file",
    "plan.md",
    "key.txt",
    "secret",
    "work",
    "~",
    " ",
    top,
    "etc",
    "passwd",
    "\\",
    "%2e%2e",
  );
  const path = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join("/"));

  await fc.assert(
    fc.asyncProperty(path, fc.constantFrom(...everyTool), async (spelled, tool) => {
      const input = tool === "Glob" || tool === "Grep" ? { pattern: "*", path: spelled } : { file_path: spelled };
      const verdict = await confine(tool, input);
      if (!verdict.allowed) return;
      const given = String(verdict.input["file_path"] ?? verdict.input["path"]);
      const parent = await realpath(given).catch(() => given);
      expect(`${parent}/`.startsWith(tool === "Write" || tool === "Edit" ? `${work}/artifacts/` : `${work}/`)).toBe(true);
      expect(parent).toBe(given);
    }),
    { numRuns: 150 },
  );
});
