import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunDetail } from "../../src/schema/run.ts";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import type { Conversation } from "../../src/scripted-model/conversation.ts";
import type { ModelRequest } from "../../src/scripted-model/model-request.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { leadersStartedBy } from "./process-lives.ts";
import type { Random } from "./random.ts";
import { environmentOf } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

const dieAtEffect = new URL("die-at-effect.ts", import.meta.url).href;
const content = "Once.";
/** Longer than a hall takes on a busy machine for all that happens in a round. */
const patienceMs = 60_000;

const sandbox = "sandboxes: { out: { path: out, mode: rw } }\ntool_rules: { sandbox.write: { approval_required: true } }\n";
const definitions = {
  desk: "name: desk\ninstructions: You are the worker desk.\nallow_workers: [clerk]\n",
  ours: `name: clerk\ninstructions: You are the worker clerk.\n${sandbox}`,
  builtIn:
    "name: clerk\ninstructions: You are the worker clerk.\nbuilt_in_tools: [Write]\ntool_rules: { Write: { approval_required: true } }\n",
};

type Plan = { tool: "ours" | "builtIn"; parks: boolean; rejects: boolean; dieAt: string; dieAgainAt: string; decideAfterMs: number };

const approvals = "/state/approvals/";

const planOf = (random: Random): Plan => ({
  tool: random.oneOf(["ours", "ours", "builtIn"] as const),
  parks: random.below(2) === 0,
  rejects: random.below(5) === 0,
  dieAt: `${approvals}|${1 + random.below(4)}|${random.below(24)}`,
  dieAgainAt: random.below(3) === 0 ? `${approvals}|${1 + random.below(4)}|${random.below(16)}` : "",
  decideAfterMs: random.below(2) === 0 ? 0 : random.below(600),
});

/** A worker calls another, which asks a person before it writes; the hall dies at any write around that, once or twice. */
export async function killHallAtEffects({ home, random }: Round): Promise<string[]> {
  const plan = planOf(random);
  const told: string[] = [];
  const model = await startScriptedModel({ script: (request) => replyTo(request, told) });
  const placed = join(dirname(home), "placed");
  try {
    const open = (dieAt: string): Promise<HallProcess> =>
      spawnHall(home, {
        bundled: false,
        config: `runs:\n  waiting: 0\n  atOnce: 1\n  processes: 1\n  parkAfterMinutes: ${plan.parks ? 0 : 60}\n`,
        env: {
          ...environmentOf(model),
          NODE_OPTIONS: `--import=${dieAtEffect}`,
          DIE_AT_EFFECT: dieAt,
          WATCHED_FILE: "note.txt",
          PLACED: placed,
        },
      });
    const first = await open(plan.dieAt);
    await mkdir(join(home, "workers"), { mode: 0o700, recursive: true });
    await writeFile(join(home, "workers/desk.yaml"), definitions.desk);
    await writeFile(join(home, "workers/clerk.yaml"), definitions[plan.tool]);
    const { jobId } = await first.client.jobs.dispatch("desk", { description: "Write.", task: "Have it written." });
    await decideUntilEnded(first, jobId, plan);
    await first.end("SIGKILL");
    const before = await inodeOf(home);
    const second = await open(plan.dieAgainAt);
    await decideUntilEnded(second, jobId, plan);
    await second.end("SIGKILL");
    const last = await open("");
    try {
      const run = await decideUntilEnded(last, jobId, plan);
      const faults = await faultsOf(last, { run, plan, before, placed, told });
      return faults.map((fault) => `${fault} (${JSON.stringify(plan)})`);
    } finally {
      await last.end("SIGTERM");
    }
  } finally {
    await model.close();
  }
}

function replyTo(request: ModelRequest, told: string[]): Reply {
  const said = readConversation(request);
  const heard = said.toolResults.length > 0 ? said.toolResults.map(({ text }) => text).join(" | ") : (said.userTexts.at(-1) ?? "");
  told.push(heard);
  const wasCut = heard.includes("Make the call again");
  if (said.system.includes("worker desk")) return isFirst(said) || wasCut ? { tools: [call] } : { text: `Desk heard: ${heard}` };
  const asksAgain = heard.includes("Call Write again");
  if (!isFirst(said) && !asksAgain && !wasCut) return { text: `Clerk heard: ${heard}` };
  if (said.tools.includes("Write")) {
    const folder = /working directory: (\S+)/.exec(said.system)?.[1] ?? "";
    return { tools: [{ name: "Write", input: { file_path: `${folder}/note.txt`, content: asksAgain ? "Not approved." : content } }] };
  }
  return { tools: [{ name: "mcp__files__write_file", input: { path: "out/note.txt", content } }] };
}

const call = { name: "mcp__delegation__worker_call", input: { worker_name: "clerk", input_data: "Write it." } };

const isFirst = ({ step, userTexts }: Conversation): boolean =>
  step === 1 && !userTexts.some((text) => text.includes("are settled") || text.includes("You were interrupted while you worked"));

/** Decides every approval until the run has ended or the hall is dead. */
async function decideUntilEnded({ client, process }: HallProcess, id: string, plan: Plan): Promise<RunDetail | null> {
  const deadline = performance.now() + patienceMs;
  while (process.exitCode === null && process.signalCode === null && performance.now() < deadline) {
    try {
      const run = await client.runs.get(id);
      if (run.endedAt !== null) return run;
      for (const { id: approval, inputHash } of (await client.approvals.list({ state: "pending" })).approvals) {
        await pause(plan.decideAfterMs);
        if (plan.rejects) await client.approvals.reject(approval, { note: "Not today." });
        else await client.approvals.approve(approval, { inputHash });
      }
    } catch {
      // The hall has just died, and the loop sees that.
    }
    await pause(20);
  }
  return null;
}

type Aftermath = { run: RunDetail | null; plan: Plan; before: number | null; placed: string; told: readonly string[] };

async function faultsOf({ client, home }: HallProcess, { run, plan, before, placed, told }: Aftermath): Promise<string[]> {
  if (run === null) return ["The run did not end."];
  const { approvals } = await client.approvals.list();
  const [child] = await Promise.all(run.children.map((id) => client.runs.get(id)));
  const folder = plan.tool === "ours" ? join(home, "out") : join(home, "jobs", child?.id ?? "", "work");
  const note = await readFile(join(folder, "note.txt"), "utf8").catch(() => null);
  const times = (await readFile(placed, "utf8").catch(() => "")).split("\n").length - 1;
  const isUnknown = approvals.some((approval) => approval.isUnknown);
  const after = await inodeOf(home);
  return [
    ...(run.state === "completed" ? [] : [`The run is ${run.state}: ${run.ending?.message}`]),
    ...(run.children.length === 1 ? [] : [`The caller has ${run.children.length} children.`]),
    ...(child?.state === "completed" ? [] : [`The child is ${child?.state}: ${child?.ending?.message}`]),
    ...(approvals.length === 1 ? [] : [`A person was asked ${approvals.length} times.`]),
    ...(plan.rejects && note !== null ? ["What was rejected was written."] : []),
    ...(plan.rejects || isUnknown || note === content ? [] : [`The file holds ${String(note)}.`]),
    ...(isUnknown && plan.tool === "ours" ? ["A write of our own has an unknown outcome."] : []),
    ...(isUnknown && !told.some((each) => each.includes("before it was known to be done"))
      ? ["The model was not told of an unknown outcome."]
      : []),
    ...(times > 1 ? [`The file was put in its place ${times} times.`] : []),
    ...(before === null || before === after ? [] : ["The file was written again after it was there."]),
    ...(plan.rejects && !told.some((each) => each.includes("Not today.")) ? ["The worker was not told why its call was rejected."] : []),
    ...(leadersStartedBy(home).agents.length === 0 ? [] : ["An agent runs though no run does."]),
  ];
}

const inodeOf = (home: string): Promise<number | null> =>
  stat(join(home, "out/note.txt")).then(
    ({ ino }) => ino,
    () => null,
  );
