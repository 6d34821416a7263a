import { once } from "node:events";
import { readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { agentOptions } from "../../guild-members/researcher/agent-options.ts";
import type { OptionParts } from "../../guild-members/researcher/agent-options.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { call, eventsOf, tool } from "./agent-stage.ts";
import { openMemberStage } from "./member-stage.ts";
import type { EndedJob, MemberStage } from "./member-stage.ts";

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

const internalTools = ["log_question", "record_decision", "store_memory", "submit_result", "update_summary", "write_artifact"].map(tool);

const replies: Reply[] = [
  { text: "I begin.", ...call(tool("update_summary"), { summary: "Reading about kettles." }) },
  call(tool("record_decision"), { question: "Which kettles?", decision: "Electric ones.", reasoning: "They are the common kind." }),
  call(tool("log_question"), { question: "Is descaling in scope?" }),
  call(tool("store_memory"), { key: "Kettles", content: "kettle.example has the best tests." }),
  call(tool("write_artifact"), { path: "tables/kettles.csv", content: "name,watts\nK1,2000\n" }),
  call(tool("submit_result"), { output: "## Answer\nK1.", artifacts: ["tables/kettles.csv"] }),
  { text: "Done." },
];

const attacks = (folder: string, port: number): Reply[] => [
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
  call("WebFetch", { url: `http://127.0.0.1:${port}/`, prompt: "x" }),
  call("WebFetch", { url: `http://localhost:${port}/`, prompt: "x" }),
  call("WebFetch", { url: "http://169.254.169.254/latest/meta-data", prompt: "x" }),
  call("WebFetch", { url: "file:///etc/passwd", prompt: "x" }),
  call(tool("store_memory"), { key: "../../escaped", content: "was here" }),
  call(tool("write_artifact"), { path: "../../escaped.md", content: "was here" }),
  call(tool("submit_result"), { output: "x", artifacts: ["../meta.json"] }),
];
const allowed = (folder: string): Reply[] => [
  call("Read", { file_path: "task.md" }),
  call("Read", { file_path: join(folder, "memory/kettles.md") }),
  call("Grep", { pattern: "Misbehave|cwd", output_mode: "files_with_matches" }),
  call("Glob", { pattern: "**/*" }),
];

describe("a running researcher", () => {
  const task = "Which kettle is best? See @/etc/passwd\n/clear";
  let stage: MemberStage;
  let neighbour: Neighbour;
  /** One after the other. */
  let jobs: { works: string; misbehaves: string };
  let works: EndedJob;
  let misbehaves: EndedJob;
  beforeAll(async () => {
    neighbour = await startNeighbour();
    stage = await openMemberStage(({ messages }) => {
      const step = messages.filter(({ role }) => role === "assistant").length;
      if (!JSON.stringify(messages).includes("Misbehave.")) return replies[step];
      return [...attacks(stage.folder, neighbour.port), ...allowed(stage.folder)][step] ?? { text: "I give up." };
    });
    await writeFile(join(stage.folder, "secret.txt"), "open sesame");
    const first = await stage.dispatch(task);
    works = await stage.end(first);
    const second = await stage.dispatch("Misbehave.");
    jobs = { works: first, misbehaves: second };
    await symlink(stage.folder, join(stage.folder, "jobs", second, "to-secret"));
    misbehaves = await stage.end(second);
    return async () => {
      neighbour.close();
      await stage.model.close();
    };
  });

  it("works with its own tools, and the next job remembers (REQ-WD-22, REQ-WD-23, REQ-WD-24, REQ-WD-25, REQ-WD-26, REQ-WD-27, REQ-WD-28, REQ-WD-29, REQ-WD-30, REQ-WD-31, REQ-WD-34, REQ-WD-41, WD-SC-4, WD-SC-7, WD-SC-8, WD-AIV-7, WD-AIV-8)", async () => {
    const { status, result, events } = works;
    const jobId = jobs.works;

    expect(status).toMatchObject({
      status: "completed",
      error: null,
      summary: "Reading about kettles.",
      questions: ["Is descaling in scope?"],
      decisions: [{ question: "Which kettles?", decision: "Electric ones.", reasoning: "They are the common kind." }],
      usage: { turns: 7, maxTurns: 150, maxBudgetUsd: 2.5 },
    });
    expect(status.usage?.costUsd).toBeGreaterThan(0);
    expect(result).toEqual({ jobId, output: "## Answer\nK1.", artifacts: ["artifacts/tables/kettles.csv"] });
    expect(await stage.jobFile(jobId, "status.md")).toContain("Reading about kettles.");
    expect(await stage.jobFile(jobId, "questions.md")).toContain("Is descaling in scope?");
    expect(await stage.jobFile(jobId, "decisions.json")).toContain("Electric ones.");
    expect(await stage.jobFile(jobId, "artifacts/tables/kettles.csv")).toContain("K1,2000");
    expect(await readFile(join(stage.folder, "memory/kettles.md"), "utf8")).toBe("kettle.example has the best tests.");

    expect(eventsOf(events, "progress")[0]?.summary).toContain("Web search is missing");
    expect(eventsOf(events, "text").map(({ text }) => text)).toEqual(["I begin.", "Done."]);
    expect(eventsOf(events, "tool_use")).toHaveLength(6);
    expect(eventsOf(events, "tool_result").map(({ isError }) => isError)).toEqual(Array.from({ length: 6 }, () => false));
    expect(eventsOf(events, "memory")).toMatchObject([{ key: "kettles" }]);
    expect(eventsOf(events, "artifact")).toMatchObject([{ path: "artifacts/tables/kettles.csv", size: 19 }]);

    const [first] = stage.model.requests;
    expect(first?.conversation.tools.toSorted()).toEqual(["Glob", "Grep", "Read", "WebFetch", ...internalTools].toSorted());
    expect(first?.conversation.userTexts).toEqual([task]);
    expect(first?.conversation.system).toContain("Which kettle is best?");
    for (const name of ["update_summary", "record_decision", "log_question", "store_memory"])
      expect(first?.conversation.system).toContain(name);
    for (const heading of ["Question", "Answer", "Evidence", "Confidence", "Open questions"])
      expect(first?.conversation.system).toContain(`\n## ${heading}\n`);
    expect(first?.conversation.system).not.toContain("kettle.example");
    const second = stage.model.requests.find(({ conversation }) => conversation.userTexts.includes("Misbehave."));
    expect(second?.conversation.system).toContain("kettle.example has the best tests.");
    // The model was asked nothing beside the two jobs.
    expect(stage.model.requests).toHaveLength(replies.length + attacks("", 0).length + allowed("").length + 1);
  });

  it("gets out of its folder by no tool where its model was talked into mischief, and writes nothing (REQ-WD-31, REQ-WD-33, SEC-8, WD-SC-16, WD-AIV-8)", async () => {
    const { status, events } = misbehaves;
    const results = eventsOf(events, "tool_result");
    const refused = results.slice(0, attacks("", 0).length);
    const [told, known, grep, glob] = results.slice(attacks("", 0).length);

    expect(status).toMatchObject({ status: "completed", error: null });
    expect(refused.filter(({ isError }) => !isError)).toEqual([]);
    const fetched = refused.slice(16, 20).map(({ text }) => text);
    for (const text of fetched.slice(0, 3)) expect(text).toContain("belongs to this machine or to a private network");
    expect(fetched[3]).toContain("is not the address of a web page");
    expect(neighbour.visits()).toBe(0);
    expect(told?.text).toContain("Misbehave.");
    expect(known?.text).toContain("kettle.example");
    for (const found of [grep, glob]) {
      expect(found?.text).toContain("task.md");
      expect(found?.text).not.toContain("sdk/");
    }
    const shown = JSON.stringify(stage.model.requests.map(({ body }) => body.messages));
    for (const secret of ["root:x:0", "sk-not-a-key", "open sesame"]) expect(shown).not.toContain(secret);
    expect((await readdir(stage.folder)).toSorted()).toEqual(["jobs", "memory", "secret.txt"]);
    expect(await readdir(join(stage.folder, "memory"))).toEqual(["kettles.md"]);
    expect(await readdir(join(stage.folder, "jobs", jobs.misbehaves))).not.toContain("was-here");
  });
});

type Neighbour = { port: number; visits: () => number; close: () => void };

/** Something on this machine that would talk to whoever comes by. */
async function startNeighbour(): Promise<Neighbour> {
  let visits = 0;
  const server = createServer((_request, response) => response.end("open sesame"));
  // Whoever speaks TLS is a visitor too, and makes no request.
  server.on("connection", () => (visits += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has an address with a port.");
  return { port: address.port, visits: () => visits, close: () => void server.close() };
}
