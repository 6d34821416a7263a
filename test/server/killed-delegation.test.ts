import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Approval } from "../../src/schema/approval.ts";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { leadersStartedBy } from "../faults/process-lives.ts";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const dieAtEffect = new URL("../faults/die-at-effect.ts", import.meta.url).href;
const patience = { timeout: 30_000, interval: 20 };
const config = "runs:\n  waiting: 0\n  atOnce: 1\n  processes: 1\n";
const desk = "name: desk\ninstructions: You are the worker desk.\nallow_workers: [clerk]\n";
const clerk = `name: clerk
instructions: You are the worker clerk.
sandboxes: { out: { path: out, mode: rw } }
tool_rules: { sandbox.write: { approval_required: true } }
`;

describe("a hall that is killed while a worker waits for another, which waits for a person", () => {
  it("asks no second time, starts nothing before the decision, and goes on to the end", async () => {
    const stage = await setStage();
    const first = await stage.open("");
    const id = await stage.dispatch(first);
    const approval = await pendingIn(first);
    await first.end("SIGKILL");

    const second = await stage.open("");
    await expect.poll(async () => (await second.client.runs.get(id)).state).toBe("waiting");
    expect(leadersStartedBy(stage.home).agents).toEqual([]);
    await approve(second, approval);

    expect(await outcomeOf(stage, second, id)).toEqual(writtenOnce);
  });

  it.each([
    ["after the decision and before the effect", "/.toolu_|1|0"],
    ["between the record that the effect begins and the effect", "/note.txt|1|0"],
    ["between the effect and its record", "effects.jsonl|2|0"],
    ["after the effect and before its result reaches the caller", "effects.jsonl|2|1"],
  ])("%s writes what was approved, once", async (_when, dieAt) => {
    const stage = await setStage();
    const first = await stage.open(dieAt);
    const id = await stage.dispatch(first);
    await approve(first, await pendingIn(first)).catch(() => undefined);
    await vi.waitUntil(() => first.process.signalCode === "SIGKILL", patience);

    const second = await stage.open("");

    expect(await outcomeOf(stage, second, id)).toEqual(writtenOnce);
  });
});

type Stage = Awaited<ReturnType<typeof setStage>>;

const writtenOnce = { state: "completed", isTold: true, asked: ["approved"], text: "Once.", placed: "placed\n", agents: [] };

async function outcomeOf({ home, placed }: Stage, { client }: HallProcess, id: string): Promise<typeof writtenOnce> {
  const run = await vi.waitUntil(async () => {
    const found = await client.runs.get(id);
    return found.endedAt === null ? null : found;
  }, patience);
  const { approvals } = await client.approvals.list();
  return {
    state: run.state,
    isTold: run.output?.includes("Wrote out/note.txt (5 characters).") === true,
    asked: approvals.map(({ state }) => state),
    text: await readFile(join(home, "out/note.txt"), "utf8"),
    placed: await readFile(placed, "utf8"),
    agents: leadersStartedBy(home).agents.map(({ pid }) => pid) as [],
  };
}

async function setStage() {
  const folder = await temporaryFolder();
  const [home, placed] = [join(folder, "home"), join(folder, "placed")];
  const model = await startScriptedModel({
    script(request) {
      const { system, step, userTexts, toolResults } = readConversation(request);
      const isDesk = system.includes("worker desk");
      const heard = toolResults.map(({ text }) => text).join("") || (userTexts.at(-1) ?? "");
      if (step > 1 || userTexts.some((text) => text.includes("are settled"))) return { text: `Heard: ${heard}` };
      if (isDesk) return { tools: [{ name: "mcp__delegation__worker_call", input: { worker_name: "clerk", input_data: "Write it." } }] };
      return { tools: [{ name: "mcp__files__write_file", input: { path: "out/note.txt", content: "Once." } }] };
    },
  });
  onTestFinished(() => model.close());
  return {
    home,
    placed,
    async open(dieAt: string): Promise<HallProcess> {
      const env = {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "key-of-the-test",
        NODE_OPTIONS: `--import=${dieAtEffect}`,
        DIE_AT_EFFECT: dieAt,
        WATCHED_FILE: "note.txt",
        PLACED: placed,
      };
      const hall = await spawnHall(home, { bundled: false, config, env });
      onTestFinished(() => void hall.process.kill("SIGKILL"));
      return hall;
    },
    async dispatch({ client }: HallProcess): Promise<string> {
      await mkdir(join(home, "workers"), { mode: 0o700 });
      await writeFile(join(home, "workers/desk.yaml"), desk);
      await writeFile(join(home, "workers/clerk.yaml"), clerk);
      return (await client.jobs.dispatch("desk", { description: "Write.", task: "Have it written." })).jobId;
    },
  };
}

const pendingIn = ({ client }: HallProcess): Promise<Approval> =>
  vi.waitUntil(async () => (await client.approvals.list({ state: "pending" })).approvals[0], patience);

const approve = ({ client }: HallProcess, { id, inputHash }: Approval) => client.approvals.approve(id, { inputHash });
