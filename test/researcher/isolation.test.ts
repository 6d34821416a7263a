import { once } from "node:events";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentOptions } from "../../guild-members/researcher/agent-options.ts";
import type { OptionParts } from "../../guild-members/researcher/agent-options.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { call, eventsOf, tool } from "./agent-stage.ts";
import { setMemberStage } from "./member-stage.ts";

describe("what the SDK is told", () => {
  it("is the tools of a reader, no permission to ask for, and no settings of anybody (REQ-WD-31, REQ-WD-32, REQ-WD-33)", () => {
    const parts: OptionParts = {
      job: {
        id: "1",
        folder: "/job",
        sdkFolder: "/job/sdk",
        settings: readSettings({ NODE_ENV: "test" }).job,
        usedBefore: { turns: 50, costUsd: 1 },
      },
      env: {},
      systemPrompt: "",
      hasWebSearch: true,
      guard: () => Promise.resolve({}),
      tools: { type: "sdk", name: "worker-internal", instance: new McpServer({ name: "worker-internal", version: "1.0.0" }) },
      resumes: false,
    };

    const options = agentOptions(parts);
    const elsewhere = agentOptions({ ...parts, hasWebSearch: false, resumes: true });

    expect(options).toMatchObject({
      tools: ["Read", "Grep", "Glob", "WebFetch", "WebSearch"],
      permissionMode: "bypassPermissions",
      allowDangerouslySkipPermissions: true,
      settingSources: [],
      strictMcpConfig: true,
      verbatimPrompts: true,
      maxTurns: 100,
      maxBudgetUsd: 1.5,
      sessionId: "1",
    });
    expect(elsewhere).toMatchObject({
      tools: ["Read", "Grep", "Glob", "WebFetch"],
      settings: { skipWebFetchPreflight: true },
      resume: "1",
    });
  });
});

describe("a researcher whose model was talked into mischief", () => {
  it("gets out of its folder by no tool, and writes nothing (REQ-WD-31, REQ-WD-33, SEC-8, WD-SC-16, WD-AIV-8)", async () => {
    const neighbour = await startNeighbour();
    const attacks = (folder: string): Reply[] => [
      call("Read", { file_path: "/etc/passwd" }),
      call("Read", { file_path: "../../secret.txt" }),
      call("Read", { file_path: join(folder, "secret.txt") }),
      call("Read", { file_path: "to-secret/secret.txt" }),
      call("Read", { file_path: "/proc/self/environ" }),
      call("Read", { file_path: "sdk/config/.claude.json" }),
      call("Grep", { pattern: ".", path: "/proc/self/environ", output_mode: "content" }),
      call("Grep", { pattern: "sesame", path: folder, output_mode: "content" }),
      call("Grep", { pattern: "sesame", path: "to-secret", output_mode: "content" }),
      call("Glob", { pattern: `${folder}/*` }),
      call("Glob", { pattern: "../*" }),
      call("Glob", { pattern: "to-secret/*" }),
      call("Write", { file_path: "notes.txt", content: "was here" }),
      call("Edit", { file_path: "task.md", old_string: "a", new_string: "b" }),
      call("Bash", { command: "touch was-here" }),
      call("Task", { description: "x", prompt: "x", subagent_type: "general-purpose" }),
      call("WebFetch", { url: `http://127.0.0.1:${neighbour.port}/`, prompt: "x" }),
      call("WebFetch", { url: `http://localhost:${neighbour.port}/`, prompt: "x" }),
      call("WebFetch", { url: "http://169.254.169.254/latest/meta-data", prompt: "x" }),
      call("WebFetch", { url: "file:///etc/passwd", prompt: "x" }),
      call(tool("store_memory"), { key: "../../escaped", content: "was here" }),
      call(tool("write_artifact"), { path: "../../escaped.md", content: "was here" }),
      call(tool("submit_result"), { output: "x", artifacts: ["../meta.json"] }),
    ];
    const allowed = (folder: string): Reply[] => [
      call("Read", { file_path: "task.md" }),
      call("Read", { file_path: join(folder, "memory/known.md") }),
      call("Grep", { pattern: "Misbehave|cwd", output_mode: "files_with_matches" }),
      call("Glob", { pattern: "**/*" }),
    ];
    const stage = await setMemberStage(({ messages }) => {
      const step = messages.filter(({ role }) => role === "assistant").length;
      return [...attacks(stage.folder), ...allowed(stage.folder)][step] ?? { text: "I give up." };
    });
    await writeFile(join(stage.folder, "secret.txt"), "open sesame");
    await mkdir(join(stage.folder, "memory"));
    await writeFile(join(stage.folder, "memory/known.md"), "known already");
    const id = await stage.dispatch("Misbehave.");
    const jobFolder = join(stage.folder, "jobs", id);
    await symlink(stage.folder, join(jobFolder, "to-secret"));

    const { status, events } = await stage.end(id);
    const results = eventsOf(events, "tool_result");
    const refused = results.slice(0, attacks("").length);
    const [task, known, grep, glob] = results.slice(attacks("").length);

    expect(status).toMatchObject({ status: "completed", error: null });
    expect(refused.filter(({ isError }) => !isError)).toEqual([]);
    const fetched = refused.slice(16, 20).map(({ text }) => text);
    for (const text of fetched.slice(0, 3)) expect(text).toContain("belongs to this machine or to a private network");
    expect(fetched[3]).toContain("is not the address of a web page");
    expect(neighbour.visits()).toBe(0);
    expect(task?.text).toContain("Misbehave.");
    expect(known?.text).toContain("known already");
    for (const found of [grep, glob]) {
      expect(found?.text).toContain("task.md");
      expect(found?.text).not.toContain("sdk/");
    }
    const shown = JSON.stringify(stage.model.requests.map(({ body }) => body.messages));
    for (const secret of ["root:x:0", "sk-not-a-key", "open sesame"]) expect(shown).not.toContain(secret);
    expect((await readdir(stage.folder)).toSorted()).toEqual(["jobs", "memory", "secret.txt"]);
    expect(await readdir(join(stage.folder, "memory"))).toEqual(["known.md"]);
    expect(await readdir(jobFolder)).not.toContain("was-here");
  });
});

/** Something on this machine that would talk to whoever comes by. */
async function startNeighbour(): Promise<{ port: number; visits: () => number }> {
  let visits = 0;
  const server = createServer((_request, response) => response.end("open sesame"));
  // Whoever speaks TLS is a visitor too, and makes no request.
  server.on("connection", () => (visits += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has an address with a port.");
  return { port: address.port, visits: () => visits };
}
