import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MemberName } from "../../src/schema/ids.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import type { ModelRequest } from "../../src/scripted-model/model-request.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import type { HallProcess } from "../hall-process.ts";
import { until } from "./until.ts";

const usage = { inputTokens: 3000, outputTokens: 100 };
/** Open runs cost nothing, so sums of the day stay the same whenever and however often they are settled. */
const free = { inputTokens: 0, outputTokens: 0 };
const hang: Reply = { text: "I think.", fault: { how: "hang" } };

const workers = {
  desk: "name: desk\ninstructions: You are the worker desk.\nallow_workers: [clerk]\n",
  clerk: `name: clerk
instructions: You are the worker clerk.
sandboxes: { out: { path: out, mode: rw } }
tool_rules: { sandbox.write: { approval_required: true } }
`,
  slow: "name: slow\ninstructions: You are the worker slow.\n",
};

/** The model of the hall that makes a home. */
export function replyOfFurnishing(request: ModelRequest): Reply {
  const said = readConversation(request);
  const { system, step, tools, toolResults } = said;
  const asked = said.userTexts.at(-1) ?? "";
  const heard = toolResults.map(({ text }) => text).join(" | ");
  if (system.includes("worker slow")) return hang;
  if (system.includes("worker desk")) {
    if (step > 1) return { text: `Desk heard: ${heard}`, usage };
    return call("mcp__delegation__worker_call", { worker_name: "clerk", input_data: asked }, asked);
  }
  if (system.includes("worker clerk")) {
    const path = `out/${asked.toLowerCase().replaceAll(/\W+/g, "-")}.txt`;
    return step > 1 ? { text: `Clerk heard: ${heard}`, usage } : call("mcp__files__write_file", { path, content: asked }, asked);
  }
  if (tools.some((name) => name.startsWith("mcp__worker-internal__"))) return asked.includes("hang") ? hang : research(step);
  if (asked.includes("slowly"))
    return step === 1 ? globbing : { text: "Slowly, word by word. ".repeat(200), chunkSize: 8, chunkDelayMs: 50 };
  if (asked.includes("fail")) return { error: { status: 400, message: "This cannot be asked." } };
  if (asked.includes("report") && step === 1) {
    const folder = /working directory: (\S+)/.exec(system)?.[1] ?? "";
    return {
      text: "I write it.",
      tools: [{ name: "Write", input: { file_path: `${folder}/artifacts/report.md`, content: "# Report\n" } }],
      usage,
    };
  }
  return { text: `You said: ${asked}`, usage };
}

const globbing: Reply = { text: "I look around.", tools: [{ name: "Glob", input: { pattern: "*" } }], usage };

/** A run that is left open costs nothing. */
const call = (name: string, input: Record<string, string>, task: string): Reply => ({
  tools: [{ name, input }],
  usage: task === leftOpen ? free : usage,
});

const internal = (name: string): string => `mcp__worker-internal__${name}`;

function research(step: number): Reply {
  if (step > 1) return { tools: [{ name: internal("submit_result"), input: { output: "# A guild\n\nAn association." } }], usage };
  const calls = [
    { name: internal("update_summary"), input: { summary: "Half of the sources are read." } },
    { name: internal("record_decision"), input: { question: "Which year?", decision: "1348", reasoning: "It is the best known." } },
    { name: internal("log_question"), input: { question: "May paid sources be used?" } },
    { name: internal("write_artifact"), input: { path: "data/table.csv", content: "year,guilds\n1348,12\n" } },
  ];
  return { tools: calls, usage };
}

const leftOpen = "Write the third";

/** Does everything that leaves a record, and returns in the middle of a message, a job, a run and a question to the person. */
export async function furnishHome({ client, home }: HallProcess, model: ScriptedModel): Promise<void> {
  const { sessions, jobs } = client;
  const pendingApproval = () => until(async () => (await client.approvals.list({ state: "pending" })).approvals[0]);
  await client.spending.setLimit({ perDayUsd: 50, until: "always" });
  await until(async () => (await client.roster.list()).members.every(({ status }) => status === "connected"));

  const divide = { member: MemberName.parse("example"), tool: "divide", input: { dividend: 6, divisor: 3 } };
  await client.tools.invoke(divide);
  await client.tools.save({ ...divide, name: "Divide six" });

  const parsers = await sessions.create({
    name: "Compare the two parsers",
    members: ["example"],
    context: "## Goal\n\nThe faster parser.\n",
  });
  await talk(parsers.id, "Hello");
  await talk(parsers.id, "Write the report.");
  await sessions.artifacts.add(parsers.id, "data/bytes.bin", new Blob([Uint8Array.from([0, 255, 13, 10, 128])]));
  const { etag } = await sessions.context.read(parsers.id);
  await sessions.context.write(parsers.id, "## Goal\n\nThe faster parser.\n\n## Decisions\n\nNone — yet.\n", etag);

  const renewed = await sessions.create({ name: "Renewed" });
  await talk(renewed.id, "Before the renewal");
  await removeTranscripts(home, renewed.id);
  await talk(renewed.id, "Into a conversation that is not there");
  await sessions.renew(renewed.id);
  await talk(renewed.id, "After the renewal");

  const failed = await sessions.create({ name: "Failed", limits: { maxTurns: 7, maxCostUsd: 3 } });
  await talk(failed.id, "Please fail.");

  const done = await sessions.create({ name: "Done", model: "claude-haiku-4-5" });
  await talk(done.id, "That is all.");
  await sessions.complete(done.id);

  const stopped = await sessions.create({ name: "Stopped" });
  await sendSlowly(stopped.id);
  await sessions.stop(stopped.id);

  const { jobId } = await jobs.dispatch("researcher", { description: "Guilds", task: "What is a guild?" });
  await until(async () => (await jobs.get("researcher", jobId)).status === "completed");
  await jobs.dismiss("researcher", jobId, "May paid sources be used?");

  await putWorkers(home);
  await decideOne("Write the first", "approve");
  await decideOne("Write the second", "reject");

  const open = await jobs.dispatch("researcher", { description: "More guilds", task: "hang" });
  await jobs.dispatch("desk", { description: leftOpen, task: leftOpen });
  await pendingApproval();
  const slow = await jobs.dispatch("slow", { description: "Slow", task: "Take your time." });
  await until(async () => (await client.runs.get(slow.jobId)).state === "running");
  await model.waitForRequest(({ conversation }) => conversation.system.includes("worker slow"));
  // With two runs at once, the second session waits for a slot, and the message of the third is accepted and not claimed.
  for (const name of ["Cut off", "Without a slot", "Not claimed"]) {
    const { id } = await sessions.create({ name });
    if (name === "Cut off") await sendSlowly(id);
    else await sessions.send(id, "Are you there?");
  }
  await until(async () => (await jobs.get("researcher", open.jobId)).status === "running");
  await model.waitForRequest(({ conversation }) => conversation.userTexts.some((text) => text.includes("hang")));

  async function talk(id: SessionId, text: string): Promise<void> {
    await sessions.send(id, text);
    for await (const { event } of sessions.events(id)) if (event.event === "done") return;
  }

  /** Returns when some of the answer is there. */
  async function sendSlowly(id: SessionId): Promise<void> {
    await sessions.send(id, "Say it slowly.");
    for await (const { event } of sessions.events(id)) if (event.event === "text" && event.data.text.includes("Slowly")) break;
    await sessions.send(id, "And then?", { queue: true });
    await sessions.send(id, "And after that?", { queue: true });
  }

  async function decideOne(task: string, decision: "approve" | "reject"): Promise<void> {
    const { jobId: run } = await jobs.dispatch("desk", { description: task, task });
    const { id, inputHash } = await pendingApproval();
    if (decision === "approve") await client.approvals.approve(id, { inputHash });
    else await client.approvals.reject(id, { note: "Not today." });
    await until(async () => (await client.runs.get(run)).endedAt !== null);
  }
}

async function putWorkers(home: string): Promise<void> {
  await mkdir(join(home, "workers"), { mode: 0o700 });
  for (const [name, text] of Object.entries(workers)) await writeFile(join(home, "workers", `${name}.yaml`), text, { mode: 0o600 });
}

/** As a backup without them would: the next message finds no conversation, and the session has expired. */
async function removeTranscripts(home: string, id: SessionId): Promise<void> {
  const projects = join(home, "claude/config/projects");
  const own = (await readdir(projects)).filter((name) => name.endsWith(id.replaceAll("_", "-")));
  for (const name of own) await rm(join(projects, name), { recursive: true });
}
