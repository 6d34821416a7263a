import { execFileSync, spawn } from "node:child_process";
import { mkdir, readdir, readFile, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { HallError } from "../../schema/hall-error.ts";
import { createRoots } from "./roots.ts";

const isLinux = process.platform === "linux";

/** A root to read and one to write, beside things that must not be reached. */
async function setTraps(platform?: NodeJS.Platform) {
  const top = await temporaryFolder();
  const [input, output, outside] = [join(top, "input"), join(top, "output"), join(top, "outside")];
  await mkdir(join(input, "notes"), { recursive: true });
  await Promise.all([mkdir(output), mkdir(join(outside, "notes"), { recursive: true })]);
  await writeFile(join(input, "report.md"), "mine");
  await writeFile(join(input, "notes/a.txt"), "mine");
  await writeFile(join(outside, "key.txt"), "theirs");
  await writeFile(join(outside, "notes/a.txt"), "theirs");
  for (const folder of [input, output]) {
    await symlink(outside, join(folder, "to-folder"));
    await symlink(join(outside, "key.txt"), join(folder, "to-file"));
    await symlink("to-itself", join(folder, "to-itself"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
  }
  await symlink("report.md", join(input, "to-inside"));
  const named = [
    { name: "input", folder: input, isWritable: false },
    { name: "output", folder: output, isWritable: true },
  ];
  const roots = createRoots(named, platform);
  const read = (path: string) => roots.read(path, 1_000).then(String);
  return { top, input, output, outside, roots, read };
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  return error instanceof HallError ? `${error.code}: ${error.message}` : `not a refusal: ${String(error)}`;
}

describe.each(isLinux ? (["linux", "darwin"] as const) : (["darwin"] as const))("named roots, as on %s", (platform) => {
  it("are read and written by the name of the root and the path in it", async () => {
    const { output, roots, read } = await setTraps(platform);

    await roots.write("output/deep/er/new.txt", "new");
    await roots.write("output:deep/er/new.txt", "newer");
    await roots.mkdir("output/empty");

    expect([await read("input/report.md"), await read("input:notes/a.txt"), await read("./input//notes/./a.txt")]).toEqual(
      Array(3).fill("mine"),
    );
    expect(await read("output/deep/er/new.txt")).toBe("newer");
    expect(await readdir(join(output, "deep/er"))).toEqual(["new.txt"]);
    expect(await readdir(join(output, "empty"))).toEqual([]);
    expect(roots.resolve("output/a/b")).toMatchObject({ root: { name: "output" }, names: ["a", "b"] });
  });

  it("give an open file that stays the same, whatever gets its name", async () => {
    const { input, outside, roots } = await setTraps(platform);

    const { file } = await roots.open("input/report.md");
    await unlink(join(input, "report.md"));
    await symlink(join(outside, "key.txt"), join(input, "report.md"));
    const text = await file.readFile("utf8");
    await file.close();

    expect(text).toBe("mine");
  });

  it.each([
    ["is empty", "", "bad_request: The path is empty. Readable: input/, output/."],
    [
      "is absolute",
      "/etc/passwd",
      'bad_request: "/etc/passwd" is absolute. A path begins with the name of a folder. Readable: input/, output/.',
    ],
    ["is absolute after the root", "input:/etc/passwd", 'not_found: "input:/etc/passwd" does not exist.'],
    ["climbs", "../outside/key.txt", 'bad_request: "../outside/key.txt" leads out with "..". Readable: input/, output/.'],
    [
      "climbs from below",
      "input/notes/../../outside/key.txt",
      'bad_request: "input/notes/../../outside/key.txt" leads out with "..". Readable: input/, output/.',
    ],
    [
      "climbs after a colon",
      "input:../outside/key.txt",
      'bad_request: "input:../outside/key.txt" leads out with "..". Readable: input/, output/.',
    ],
    ["has a NUL", "input/report.md\0.txt", "bad_request: The path contains a control character or a backslash. Readable: input/, output/."],
    ["has a backslash", "input\\..\\x", "bad_request: The path contains a control character or a backslash. Readable: input/, output/."],
    [
      "turns its letters round",
      "input/\u202etxt.exe",
      "bad_request: The path contains a control character or a backslash. Readable: input/, output/.",
    ],
    ["is not well-formed", "input/\ud800", "bad_request: The path contains a control character or a backslash. Readable: input/, output/."],
    ["names no root", "outside/key.txt", 'bad_request: "outside/key.txt" is in no folder that can be reached. Readable: input/, output/.'],
    [
      "names a root in other letters",
      "Input/report.md",
      'bad_request: "Input/report.md" is in no folder that can be reached. Readable: input/, output/.',
    ],
    ["is the root itself", "input/", 'bad_request: "input/" is a folder.'],
    ["is a folder", "input/notes", 'bad_request: "input/notes" is a folder.'],
    ["is a link out", "input/to-file", 'bad_request: "input/to-file" is a link, and links are not followed.'],
    ["is a link inside", "input/to-inside", 'bad_request: "input/to-inside" is a link, and links are not followed.'],
    [
      "goes through a link out",
      "input/to-folder/key.txt",
      'bad_request: "input/to-folder/key.txt" leads over a link or a file, and neither is followed.',
    ],
    [
      "goes through a link to itself",
      "input/to-itself/x",
      'bad_request: "input/to-itself/x" leads over a link or a file, and neither is followed.',
    ],
    ["goes through a file", "input/report.md/x", 'bad_request: "input/report.md/x" leads over a link or a file, and neither is followed.'],
    ["is a pipe that nobody writes to", "input/pipe", 'bad_request: "input/pipe" is neither a file nor a folder.'],
    ["is not there", "input/missing", 'not_found: "input/missing" does not exist.'],
    [
      "has a very long name",
      `input/${"a".repeat(300)}`,
      `bad_request: "input/${"a".repeat(194)}…" has a name that is too long for this disk.`,
    ],
    ["is very long", `input/${"a/".repeat(3_000)}`, "bad_request: The path is longer than 4096 characters. Readable: input/, output/."],
    ["climbs in wide letters", "input/．．/key.txt", 'not_found: "input/．．/key.txt" does not exist.'],
    ["climbs for those who decode twice", "input/%2e%2e/key.txt", 'not_found: "input/%2e%2e/key.txt" does not exist.'],
  ])("refuse to read a path that %s (SEC-8)", async (_why, path, sentence) => {
    const { top, read } = await setTraps(platform);

    const refusal = await refusalOf(read(path));

    expect(refusal).toBe(sentence);
    expect(refusal).not.toContain(top);
  });

  it.each([
    ["is in a root to read", "input/new.txt", 'bad_request: "input/new.txt" can only be read. Writable: output/.'],
    [
      "goes through a link",
      "output/to-folder/new.txt",
      'bad_request: "output/to-folder/new.txt" leads over a link or a file, and neither is followed.',
    ],
    ["is a link", "output/to-file", 'bad_request: "output/to-file" is a link, and links are not followed.'],
    ["is a pipe", "output/pipe", 'bad_request: "output/pipe" is neither a file nor a folder.'],
    ["is the root", "output", 'bad_request: "output" is a folder.'],
    ["climbs", "output/../outside/new.txt", 'bad_request: "output/../outside/new.txt" leads out with "..". Readable: input/, output/.'],
    [
      "has a very long name",
      `output/${"a".repeat(300)}`,
      `bad_request: "output/${"a".repeat(193)}…" has a name that is too long for this disk.`,
    ],
  ])("refuse to write to a path that %s, and leave nothing (SEC-8)", async (_why, path, sentence) => {
    const { output, outside, roots } = await setTraps(platform);

    const refusal = await refusalOf(roots.write(path, "was here"));

    expect(refusal).toBe(sentence);
    expect((await readdir(output)).toSorted()).toEqual(["pipe", "to-file", "to-folder", "to-itself"]);
    expect(await readdir(outside)).toEqual(["key.txt", "notes"]);
    expect(await readFile(join(outside, "key.txt"), "utf8")).toBe("theirs");
  });

  it("refuse to make a folder in a root to read, and through a link (SEC-8)", async () => {
    const { outside, roots } = await setTraps(platform);

    expect([await refusalOf(roots.mkdir("input/new")), await refusalOf(roots.mkdir("output/to-folder/new"))]).toEqual([
      'bad_request: "input/new" can only be read. Writable: output/.',
      'bad_request: "output/to-folder/new" leads over a link or a file, and neither is followed.',
    ]);
    expect(await readdir(outside)).toEqual(["key.txt", "notes"]);
  });

  it("read no more than they are asked for", async () => {
    const { roots } = await setTraps(platform);

    expect(await refusalOf(roots.read("input/report.md", 3))).toBe('too_large: "input/report.md" has more than 3 bytes.');
  });
});

describe.runIf(isLinux)("named roots on Linux", () => {
  it("keep names apart that differ only in case or in their form of Unicode", async () => {
    const { output, roots, read } = await setTraps();
    const names = ["é.txt", "e\u0301.txt", "É.txt"];

    for (const name of names) await roots.write(`output/${name}`, name);

    expect(await Promise.all(names.map((name) => read(`output/${name}`)))).toEqual(names);
    expect((await readdir(output)).filter((name) => name.endsWith(".txt"))).toHaveLength(3);
  });

  it("are not left by way of a folder that is swapped for a link while a path is walked (SEC-8)", async () => {
    const { input, output, outside, roots, read } = await setTraps();
    for (const folder of [input, output]) startSwapping(swapFolder, folder, outside);

    const seen = { read: new Set<string>(), write: new Set<string>(), mkdir: new Set<string>() };
    for (let turn = 0; turn < 500 || !isWhole(seen); turn += 1) {
      seen.read.add(await read("input/notes/a.txt").catch(refused));
      seen.write.add(await roots.write("output/notes/new.txt", "new").then(() => "done", refused));
      seen.mkdir.add(await roots.mkdir("output/notes/made").then(() => "done", refused));
    }

    expect(seen).toEqual({ read: new Set(["mine", "refused"]), write: new Set(["done", "refused"]), mkdir: new Set(["done", "refused"]) });
    expect(await readdir(join(outside, "notes"))).toEqual(["a.txt"]);
    expect(await readFile(join(outside, "notes/a.txt"), "utf8")).toBe("theirs");
  });

  it("are not left by way of a file that is swapped for a link or a pipe between check and use (SEC-8)", async () => {
    const { input, output, outside, roots, read } = await setTraps();
    for (const folder of [input, output]) startSwapping(swapFile, folder, outside);

    const seen = { read: new Set<string>(), write: new Set<string>() };
    for (let turn = 0; turn < 500 || !isWhole(seen); turn += 1) {
      seen.read.add(await read("input/swapped").catch(refused));
      seen.write.add(await roots.write("output/swapped", "mine").then(() => "done", refused));
    }

    expect(seen).toEqual({ read: new Set(["mine", "refused"]), write: new Set(["done", "refused"]) });
    expect(await readFile(join(outside, "key.txt"), "utf8")).toBe("theirs");
  });
});

/** Both sides of the swap have been met by everything that was tried. */
const isWhole = (seen: Record<string, ReadonlySet<string>>): boolean => Object.values(seen).every(({ size }) => size > 1);

function refused(error: unknown): "refused" {
  if (error instanceof HallError) return "refused";
  throw error;
}

/** A program on the same machine that swaps as fast as it can, until the test is over. */
function startSwapping(script: string, folder: string, outside: string): void {
  const swapper = spawn(process.execPath, ["-e", `${attempts} for (;;) { ${script} }`, folder, outside], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void swapper.kill("SIGKILL"));
}

/** The other side makes folders and files in these places too, so each step may fail. */
const attempts = `
const fs = require("node:fs");
const [, folder, outside] = process.argv;
const attempt = (step, ...args) => { try { fs[step + "Sync"](...args); } catch {} };
`;

/** Puts a link to a folder outside in the place of a folder, and the folder back. */
const swapFolder = `
attempt("rename", folder + "/notes", folder + "/aside");
attempt("symlink", outside + "/notes", folder + "/notes");
attempt("unlink", folder + "/notes");
attempt("rename", folder + "/aside", folder + "/notes");
attempt("rm", folder + "/aside", { recursive: true, force: true });
`;

/** A file, a link to a file outside and a pipe have the same name in turn. */
const swapFile = `
attempt("writeFile", folder + "/coming", "mine");
attempt("rename", folder + "/coming", folder + "/swapped");
attempt("symlink", outside + "/key.txt", folder + "/coming");
attempt("rename", folder + "/coming", folder + "/swapped");
attempt("rename", folder + "/pipe", folder + "/swapped");
attempt("rename", folder + "/swapped", folder + "/pipe");
`;
