import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentOptions } from "../../guild-members/researcher/agent-options.ts";
import { confine } from "../../guild-members/researcher/confine.ts";
import type { FileTool, Reach } from "../../guild-members/researcher/confine.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { createToolGuard } from "../../guild-members/researcher/tool-guard.ts";
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
      ".{.,x}",
      "{,x}",
      "{.,{.,y}}.",
      "(.|x).",
      "@(..|x)",
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
      fc.asyncProperty(fc.constantFrom<FileTool>("Read", "Grep", "Glob"), path, path, async (tool, place, pattern) => {
        const verdict = await confine(tool, { [key[tool]]: place, pattern, glob: pattern }, reach);
        if (!verdict.allowed) return;
        allowed += 1;
        const found = String(verdict.input[key[tool]]);
        expect(found.startsWith(root) && isOpen(found)).toBe(true);
        if (tool === "Read") return;
        const given = String(verdict.input[tool === "Glob" ? "pattern" : "glob"]);
        expect(meaningsOf(given).filter((meaning) => /^[/~]|(^|\/)\.\.(\/|$)/.test(meaning))).toEqual([]);
      }),
      { numRuns: 1000 },
    );

    expect(allowed).toBeGreaterThan(0);
  });

  it.each([
    "{.,{.,y}}.",
    "{,x}/etc/passwd",
    ".{.,x}/a",
    "a/.{.,x}/../b",
    "{x,{y,}}/etc/*",
    "(.|x)./a",
    "@(/etc|x)/*",
    "{..",
    "a}",
    "{a,b}".repeat(9),
  ])("takes no pattern whose braces hide the way out: %s (SEC-8)", async (pattern) => {
    const { reach } = await setReach();

    const verdicts = await Promise.all([confine("Glob", { pattern }, reach), confine("Grep", { pattern: "x", glob: pattern }, reach)]);

    expect(verdicts.map(({ allowed }) => allowed)).toEqual([false, false]);
  });

  it.each(["*.{md,txt}", "{sub,artifacts}/**", "**/report (1).md", "[a-c]*", "{a,b{c,d}}.md"])("takes %s", async (pattern) => {
    const { reach } = await setReach();

    expect(await confine("Grep", { pattern: "x", glob: pattern }, reach)).toMatchObject({ allowed: true });
  });

  it("knows every tool that the agent is offered, and no other", async () => {
    const { job, reach } = await setReach();
    const guard = createToolGuard({ reach, env: {} }, new AbortController().signal);
    const ask = (name: string) =>
      guard(
        {
          hook_event_name: "PreToolUse",
          session_id: "1",
          transcript_path: "",
          cwd: job,
          tool_name: name,
          tool_use_id: "1",
          tool_input: {},
        },
        "1",
        { signal: new AbortController().signal },
      );
    const { tools } = agentOptions({
      job: { id: "1", folder: job, sdkFolder: join(job, "sdk"), settings: readSettings({}).job, usedBefore: { turns: 0, costUsd: 0 } },
      env: {},
      systemPrompt: "",
      hasWebSearch: true,
      guard,
      tools: { type: "sdk", name: "worker-internal", instance: new McpServer({ name: "worker-internal", version: "1.0.0" }) },
      resumes: false,
    });

    const offered = await Promise.all((Array.isArray(tools) ? tools : []).map(ask));
    const others = await Promise.all(["Bash", "Write", "constructor"].map(ask));

    expect(offered).toHaveLength(5);
    expect(JSON.stringify(offered)).not.toContain("is no tool of this worker");
    expect(others.map((answer) => JSON.stringify(answer).includes("is no tool of this worker"))).toEqual([true, true, true]);
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
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:a00:1::1]/",
    "http://[::a00:1]/",
    "http://localhost./",
    "https://no-such-host.invalid/",
    "file:///etc/passwd",
    "ftp://example.org/",
    "not an address",
  ])("%s", async (address) => {
    expect(await refuseAddress(address, {})).not.toBeNull();
  });

  it.each(["https://93.184.215.14/", "http://[2606:2800:21f:cb07::1]/a?b"])("but %s is", async (address) => {
    expect(await refuseAddress(address, {})).toBeNull();
  });

  it("behind a proxy, which knows names that nobody here knows: only those that are surely of the inside", async () => {
    const env = { https_proxy: "http://proxy.example:3128" };
    const hosts = ["no-such-host.invalid", "no-such-host", "no-such-host.internal", "10.0.0.1", "[::1]"];

    const refusals = await Promise.all(hosts.map((host) => refuseAddress(`https://${host}/`, env)));

    expect(refusals.map((refusal) => refusal === null)).toEqual([true, false, false, false, false]);
  });
});

/** What a shell would make of the pattern, in as few words as can be: the innermost group first. */
function meaningsOf(pattern: string): string[] {
  const group = /[!?*+@]?[{(]([^{}()]*)[})]/.exec(pattern);
  if (group === null) return [pattern];
  const alternatives = (group[1] ?? "").split(/[,|]/);
  return alternatives.flatMap((one) => meaningsOf(pattern.slice(0, group.index) + one + pattern.slice(group.index + group[0].length)));
}
