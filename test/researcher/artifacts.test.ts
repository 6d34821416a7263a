import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listArtifacts, maxArtifactBytes, readArtifact, writeArtifact } from "../../guild-members/researcher/artifacts.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Every file and folder below, so that nothing can be written without being seen. */
const everything = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).toSorted();

/** What a model, or somebody who talks to it, may try. */
const attack = fc.oneof(
  fc.string({ unit: fc.nat(0x10_ffff).map((code) => String.fromCodePoint(code)), maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        "..",
        ".",
        "",
        "artifacts",
        "meta.json",
        "task.md",
        "out",
        "a\0b",
        "\\..\\",
        "%2e%2e",
        "․․",
        "x".repeat(300),
        "link",
        "/etc",
      ),
      { maxLength: 12 },
    )
    .map((names) => names.join("/")),
);

describe("artifacts (REQ-WD-21)", () => {
  it("are written below artifacts/, whole, and named as results name them, with or without the folder before", async () => {
    const job = await temporaryFolder();

    expect(await writeArtifact(job, "report.md", "first")).toBe("artifacts/report.md");
    expect(await writeArtifact(job, "artifacts/data/täble.csv", Buffer.from([1, 2, 3]))).toBe("artifacts/data/täble.csv");
    expect(await writeArtifact(job, "report.md", "second")).toBe("artifacts/report.md");

    expect(await listArtifacts(job)).toEqual(["artifacts/data/täble.csv", "artifacts/report.md"]);
    expect(await readArtifact(job, "report.md")).toEqual(Buffer.from("second"));
    expect(await readArtifact(job, "artifacts/data/täble.csv")).toEqual(Buffer.from([1, 2, 3]));
    expect(await everything(job)).toEqual(["artifacts", "artifacts/data", "artifacts/data/täble.csv", "artifacts/report.md"]);
  });

  it("are never written, read or found outside, whatever the path says", async () => {
    const folder = await temporaryFolder();
    const job = join(folder, "job");
    await mkdir(join(folder, "out"));
    await writeFile(join(folder, "out/secret"), "secret");
    await mkdir(job);
    await writeFile(join(job, "meta.json"), "{}");
    const outside = async () => (await everything(folder)).filter((path) => !path.startsWith("job/artifacts"));
    const before = await outside();

    await fc.assert(
      fc.asyncProperty(attack, async (path) => {
        const written = await writeArtifact(job, path, "x").catch(String);
        const read = String(await readArtifact(job, path).catch(String));

        // Either it is refused in words, or it is below the folder and comes back.
        const isRefused = /cannot be the path of an artifact|cannot be written/.test(written) && read !== "secret";
        const isKept = read === "x" && (await listArtifacts(job)).includes(written);
        expect(isRefused || isKept).toBe(true);
        expect(await outside()).toEqual(before);
      }),
      { numRuns: 100 },
    );
    expect(await readFile(join(job, "meta.json"), "utf8")).toBe("{}");
  });

  it("go through no link, neither on the way nor at the end", async () => {
    const folder = await temporaryFolder();
    const job = join(folder, "job");
    await mkdir(join(folder, "out"));
    await writeFile(join(folder, "out/secret"), "secret");
    await mkdir(join(job, "artifacts"), { recursive: true });
    await symlink(join(folder, "out"), join(job, "artifacts/way"));
    await symlink(join(folder, "out/secret"), join(job, "artifacts/end"));

    await expect(writeArtifact(job, "way/new", "x")).rejects.toThrow("cannot be written");
    expect(await readArtifact(job, "way/secret")).toBeNull();
    expect(await readArtifact(job, "end")).toBeNull();
    expect(await listArtifacts(job)).toEqual([]);
    await writeArtifact(job, "end", "mine");

    expect(await readFile(join(folder, "out/secret"), "utf8")).toBe("secret");
    expect(await readdir(join(folder, "out"))).toEqual(["secret"]);
    expect(await readArtifact(job, "end")).toEqual(Buffer.from("mine"));
  });

  it("cannot be read where the folder itself is a link, or a file is a pipe", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "out"));
    await writeFile(join(folder, "out/secret"), "secret");
    await mkdir(join(folder, "linked"));
    await symlink(join(folder, "out"), join(folder, "linked/artifacts"));
    await mkdir(join(folder, "piped/artifacts"), { recursive: true });
    execFileSync("mkfifo", [join(folder, "piped/artifacts/pipe")]);

    expect(await readArtifact(join(folder, "linked"), "secret")).toBeNull();
    expect(await listArtifacts(join(folder, "linked"))).toEqual([]);
    await expect(writeArtifact(join(folder, "linked"), "new", "x")).rejects.toThrow("cannot be written");
    expect(await readArtifact(join(folder, "piped"), "pipe")).toBeNull();
  });

  it("have a largest size, and a file where a folder is needed is said in words", async () => {
    const job = await temporaryFolder();
    await writeArtifact(job, "file", "x");

    await expect(writeArtifact(job, "huge", Buffer.alloc(maxArtifactBytes + 1))).rejects.toThrow("an artifact may have 10485760");
    await expect(writeArtifact(job, "file/below", "x")).rejects.toThrow("a file is where a folder is needed");
    expect(await everything(job)).toEqual(["artifacts", "artifacts/file"]);
  });
});
