import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { Rehearsal } from "../../src/schema/rehearsal.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";
import { rehearseIn } from "./rehearse-in.ts";
import { openServedHall } from "./served-hall.ts";

/** A home in which no hall was open yet, and a place for temporary files that can be looked into. */
async function emptyHome() {
  const place = await temporaryFolder();
  const [home, temporary] = [join(place, "home"), join(place, "tmp")];
  await mkdir(join(home, "guild-members"), { recursive: true, mode: 0o700 });
  await mkdir(temporary);
  rehearseIn(temporary);
  return {
    temporary,
    folder: join(home, "guild-members/clerk"),
    run: (...args: string[]) => runCommand([...args, "--home", home]),
  };
}

/** Changes one place of one file of the copy, as a person would who makes a worker of their own of it. */
async function edit(file: string, before: string, after: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toContain(before);
  await writeFile(file, text.replace(before, after));
}

async function makeClerk(home: string): Promise<void> {
  await mkdir(join(home, "guild-members"), { recursive: true, mode: 0o700 });
  await runCommand(["new", "worker", "clerk", "--description", "Keeps the books of a harbour.", "--yes", "--home", home]);
  await edit(join(home, "guild-members/clerk/prompt.ts"), "You are a research agent.", "You are the clerk of a harbour.");
}

describe("guild-hall new worker", () => {
  it(
    "copies the researcher, whose rehearsal passes at once and leaves no trace (REQ-WD-30, REQ-WD-31, REQ-WD-42)",
    { timeout: 120_000 },
    async () => {
      const { folder, temporary, run } = await emptyHome();

      const made = await run("new", "worker", "clerk", "--yes", "--json");
      const files = await readdir(folder, { recursive: true });
      const rehearsed = await run("rehearse", "clerk", "--json");
      await edit(join(folder, "tool-guard.ts"), "verdict.allowed ? replace(verdict.input) : deny(verdict.reason)", "{}");
      const [careless, again] = await Promise.all([run("rehearse", "clerk", "--json"), run("new", "worker", "clerk", "--yes")]);

      const { expectations, ...rehearsal } = Rehearsal.parse(JSON.parse(rehearsed.stdout));
      expect(JSON.parse(made.stdout)).toEqual({ name: "clerk", folder, isRunning: false });
      expect(expectations.filter(({ isMet }) => !isMet)).toEqual([]);
      expect(expectations.length).toBeGreaterThan(10);
      expect(rehearsal).toMatchObject({ member: "clerk", passed: true, status: "completed", script: join(folder, "rehearsal.yaml") });
      expect(rehearsal.tools.map(({ name }) => name)).toContain("mcp__worker-internal__submit_result");
      expect(rehearsal.files).toContain(`jobs/${rehearsal.jobId}/result.md`);
      expect(rehearsed).toMatchObject({ code: 0, stderr: expect.stringContaining("→ mcp__worker-internal__submit_result") as unknown });
      // Without its guard it reads what is none of its business, and that is what the rehearsal is there to find.
      expect([careless.code, Rehearsal.parse(JSON.parse(careless.stdout)).passed]).toEqual([4, false]);
      expect(await readdir(folder, { recursive: true })).toEqual(files);
      expect(files.filter((name) => name === "jobs" || name === "memory")).toEqual([]);
      expect(await readdir(temporary)).toEqual([]);
      expect(again).toMatchObject({ code: 4, stderr: `${folder} is there already. Choose another name.\n` });
    },
  );

  it("makes a worker that a hall finds, and whose jobs come to a result under a name and a prompt of its own (REQ-WD-40, REQ-WD-43, WD-SC-14, WD-AIV-6)", async () => {
    const submit = { name: "mcp__worker-internal__submit_result", input: { output: "Two ships are in." } };
    const model = await startScriptedModel({
      script: { turns: [{ when: { step: 1 }, reply: { tools: [submit] } }, { reply: { text: "Done." } }] },
    });
    onTestFinished(() => model.close());
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" };
    const hall = await openServedHall({ prepare: makeClerk, env });
    onTestFinished(hall.close);
    const { home, client } = hall;
    await expect.poll(async () => (await client.roster.get("clerk")).status).toBe("connected");

    const done = await runCommand(["job", "dispatch", "clerk", "Which ships are in?", "--follow", "--home", home]);
    const { jobs } = await client.jobs.list({ worker: "clerk" });
    const { steps } = await client.roster.get("clerk");
    const folder = join(home, "guild-members/clerk");
    const job = join(folder, "jobs", jobs[0]?.jobId ?? "");

    expect(Manifest.parse(JSON.parse(await readFile(join(folder, "guild-member.json"), "utf8")))).toMatchObject({
      name: "clerk",
      displayName: "Clerk",
      description: "Keeps the books of a harbour.",
      capabilities: ["worker"],
    });
    expect(steps.find(({ name }) => name === "handshake")?.detail).toMatch(/^clerk /);
    expect(done).toMatchObject({ code: 0, stdout: "Two ships are in.\n" });
    const { system } = model.requests[0]?.conversation ?? { system: "" };
    expect(system).toContain("You are the clerk of a harbour. Nobody watches you work");
    expect(system).not.toContain("research agent");
    expect(await readFile(join(job, "task.md"), "utf8")).toContain("Which ships are in?");
    expect(await readFile(join(job, "result.md"), "utf8")).toContain("Two ships are in.");
    expect(await readFile(join(folder, "README.md"), "utf8")).toMatch(/^# Clerk\n/);
    expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({
      type: "module",
      dependencies: {
        "@anthropic-ai/claude-agent-sdk": expect.stringMatching(/^\^\d/) as unknown,
        "@modelcontextprotocol/sdk": expect.stringMatching(/^\^\d/) as unknown,
        zod: expect.stringMatching(/^\^\d/) as unknown,
      },
    });
  });
});
