import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confine, fileTools } from "../../guild-members/researcher/confine.ts";
import type { Reach } from "../../guild-members/researcher/confine.ts";
import { refuseAddress } from "../../guild-members/researcher/web-address.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function setReach(): Promise<{ root: string; job: string; reach: Reach }> {
  const root = await temporaryFolder();
  const job = join(root, "jobs/one");
  const memory = join(root, "memory");
  for (const folder of [job, memory, join(job, "sdk"), join(job, "sub"), join(root, "jobs/two")]) await mkdir(folder, { recursive: true });
  for (const file of ["secret.txt", "jobs/two/task.md", "jobs/one/task.md", "jobs/one/sub/a.md", "jobs/one/sdk/key", "memory/m.md"]) {
    await writeFile(join(root, file), file);
  }
  await symlink(root, join(job, "up"));
  await symlink("../../secret.txt", join(job, "secret"));
  await symlink("sub", join(job, "inside"));
  await symlink("sdk", join(job, "to-sdk"));
  return { root, job, reach: { start: job, open: [job, memory], closed: [join(job, "sdk")] } };
}

describe("the confinement of a worker's tools for files", () => {
  it("lets them read the job's folder and the memory, with links resolved (REQ-WD-31)", async () => {
    const { root, job, reach } = await setReach();

    expect(await confine("Read", { file_path: "task.md" }, reach)).toEqual({ allowed: true, input: { file_path: join(job, "task.md") } });
    expect(await confine("Read", { file_path: join(root, "memory/m.md"), limit: 5 }, reach)).toEqual({
      allowed: true,
      input: { file_path: join(root, "memory/m.md"), limit: 5 },
    });
    expect(await confine("Grep", { pattern: "x" }, reach)).toEqual({ allowed: true, input: { pattern: "x", path: job } });
    expect(await confine("Glob", { pattern: "inside/*.md" }, reach)).toEqual({
      allowed: true,
      input: { pattern: "*.md", path: join(job, "sub") },
    });
  });

  it("lets them read nothing else, whatever path or pattern a model thinks of (SEC-8)", async () => {
    const { root, job, reach } = await setReach();
    const part = fc.constantFrom(
      "..",
      ".",
      "task.md",
      "sub",
      "up",
      "secret",
      "inside",
      "to-sdk",
      "sdk",
      "key",
      "jobs",
      "two",
      "memory",
      "m.md",
      "~",
      "*",
      "**",
      "{..,a}",
      "{/etc,x}",
      " ",
      "\0",
      "%2e%2e",
      "．．",
    );
    const start = fc.constantFrom("", "/", `${root}/`, `${job}/`, "/etc/", "/proc/self/", "~/", "//", "\\");
    const path = fc.tuple(start, fc.array(part, { maxLength: 6 })).map(([begin, parts]) => begin + parts.join("/"));
    const key = { Read: "file_path", Grep: "path", Glob: "path" } as const;
    const isOpen = (found: string) =>
      /^\/(jobs\/one|memory)(\/|$)/.test(found.slice(root.length)) &&
      !found.startsWith(join(job, "sdk")) &&
      !/\/(up|secret|to-sdk)/.test(found);
    let allowed = 0;

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fileTools), path, path, async (tool, place, pattern) => {
        const verdict = await confine(tool, { [key[tool]]: place, pattern, glob: pattern }, reach);
        if (!verdict.allowed) return;
        allowed += 1;
        const found = String(verdict.input[key[tool]]);
        expect(found.startsWith(root) && isOpen(found)).toBe(true);
        expect(tool === "Glob" ? String(verdict.input["pattern"]) : "").not.toMatch(/(^|[{,])\/|\.\.(\/|$)/);
      }),
      { numRuns: 500 },
    );

    expect(allowed).toBeGreaterThan(0);
  });

  it("does not tell what exists out there", async () => {
    const { reach } = await setReach();
    const reasonOf = async (path: string) => {
      const verdict = await confine("Read", { file_path: path }, reach);
      return verdict.allowed ? "" : verdict.reason.replace(path, "…");
    };

    expect(await reasonOf("../../secret.txt")).toBe(await reasonOf("../../nothing.txt"));
    expect(await reasonOf("up/secret.txt")).toBe(await reasonOf("up/nothing.txt"));
  });
});

describe("pages that are not fetched", () => {
  it.each([
    "http://127.0.0.1:4870/",
    "http://localhost/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://10.1.2.3/",
    "http://172.31.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/",
    "http://100.64.0.1/",
    "http://0.0.0.0/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://[64:ff9b::a00:1]/",
    "file:///etc/passwd",
    "ftp://example.org/",
    "not an address",
  ])("%s", async (address) => {
    expect(await refuseAddress(address)).not.toBeNull();
  });

  it.each(["https://93.184.215.14/", "http://[2606:2800:21f:cb07::1]/a?b", "https://no-such-host.invalid/"])(
    "but %s is",
    async (address) => {
      expect(await refuseAddress(address)).toBeNull();
    },
  );
});
