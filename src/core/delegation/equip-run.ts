import { inputOf, isEdited } from "../../schema/approval.ts";
import type { Approval } from "../../schema/approval.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { ApprovalId, JobRunId } from "../../schema/ids.ts";
import type { JobRun } from "../../schema/run.ts";
import type { Gate, GateDecision, Tool, ToolContext, ToolResult } from "../agent/agent-run.ts";
import { createTurns } from "../in-turn.ts";
import type { Effects } from "../run/run-store.ts";
import { parkedMark } from "../run/next-step.ts";
import { waitsForChild, waitsForPerson } from "../run/run-records.ts";
import type { Wait } from "../run/lives.ts";
import type { Equipment } from "../run/runs.ts";
import { checkWrite, editedNote, textOf, writeFileSchema, writeFileTool, writeOnce } from "./write-file.ts";

type Question = Pick<Approval, "run" | "root" | "worker" | "chain" | "callId" | "rule" | "tool" | "input">;

/** The questions to a person, as far as runs ask them. */
type Approvals = {
  /** The question of this call, which is asked once. */
  open(question: Question): Promise<Approval>;
  decided(id: ApprovalId): Promise<Approval>;
  of(run: JobRunId): Approval[];
  markUnknown(id: ApprovalId): Promise<void>;
};

export type EquipDeps = {
  approvals: Approvals;
  effects: Effects;
  chainOf(run: JobRun): Approval["chain"];
  /** The folder of a sandbox. */
  rootOf: (path: string) => string;
  foldersOf(run: JobRun): Equipment["folders"];
  /** Starts the run that a call asks for, once per call. Throws why it may not be. */
  startChild(parent: JobRun, callId: string, worker: string, input: unknown): Promise<JobRun>;
  ended(id: JobRunId): Promise<JobRun>;
  isOpen(id: JobRunId): boolean;
  now: () => string;
};

const parkedAnswer = (): ToolResult => textOf(`${parkedMark} It is settled later; do not repeat it or try another way.`, { parks: true });

/** The tools and the gate that a definition gives a run. Each tool checks its input before anybody is asked. */
export function equipRun(run: JobRun, wait: Wait, deps: EquipDeps): Equipment {
  const { instructions, builtInTools, toolServers } = run.profile;
  const servers = [
    { name: "files", tools: [writeFile(run, wait, deps)] },
    { name: "delegation", tools: [workerCall(run, wait, deps)] },
  ];
  return {
    systemPrompt: instructions,
    builtInTools,
    toolServers: servers.filter(({ name }) => toolServers.includes(name)),
    folders: deps.foldersOf(run),
    gate: builtInGate(run, wait, deps),
  };
}

function writeFile(run: JobRun, wait: Wait, deps: EquipDeps): Tool {
  return {
    name: writeFileTool,
    description: "Write a text file into one of your sandboxes. The path begins with the name of the sandbox.",
    inputSchema: writeFileSchema,
    async call(given, context) {
      const input = given as Record<string, unknown>; // the schema says so, and the tool server has checked it
      checkWrite(run, input);
      await begun(run, context, deps);
      const { rootOf } = deps;
      const call = { callId: context.callId, input, rootOf };
      if (run.definition.tool_rules["sandbox.write"]?.approval_required !== true) {
        return textOf(await writeOnce(run, { ...call, approval: null }, deps.effects));
      }
      const decided = await ask(run, wait, deps, context, { rule: "sandbox.write", tool: writeFileTool, input });
      if (decided === "parked") return parkedAnswer();
      if (decided.state !== "approved") return textOf(rejection(decided), { isError: true });
      return textOf(await writeOnce(run, { ...call, approval: decided }, deps.effects));
    },
  };
}

/** A call is recorded before it asks or changes anything; by then its run may have been stopped. */
async function begun(run: JobRun, context: ToolContext, deps: EquipDeps): Promise<void> {
  await context.recorded();
  if (!deps.isOpen(run.id)) throw new HallError("stopped", "The run was stopped.");
}

async function ask(
  run: JobRun,
  wait: Wait,
  { approvals, chainOf }: EquipDeps,
  context: ToolContext,
  asked: Pick<Approval, "rule" | "tool" | "input">,
): Promise<Approval | "parked"> {
  const { id, root, worker } = run;
  const { callId } = context;
  const approval = await approvals.open({ run: id, root, worker, chain: chainOf(run), callId, ...asked });
  if (approval.state !== "pending") return approval;
  const waited = await wait(context, waitsForPerson(approval.id, approval.createdAt), approvals.decided(approval.id));
  return waited === "parked" ? waited : waited.settled;
}

export const rejection = ({ decision }: Approval): string => `Rejected by a person: ${decision?.note ?? "no reason was given"}`;

function workerCall(run: JobRun, wait: Wait, deps: EquipDeps): Tool {
  const { allow_workers: allowed } = run.definition;
  return {
    name: "worker_call",
    description: "Give a task to another worker and get its result.",
    inputSchema: {
      type: "object",
      properties: { worker_name: { type: "string", enum: allowed }, input_data: {} },
      required: ["worker_name", "input_data"],
      additionalProperties: false,
    },
    // The SDK runs only such calls of one response side by side.
    readOnly: true,
    async call(given, context) {
      const { worker_name: worker, input_data: input } = given as { worker_name: string; input_data: unknown }; // checked against the schema
      await begun(run, context, deps);
      const child = await deps.startChild(run, context.callId, worker, input);
      const waited = await wait(context, waitsForChild(child.id, deps.now()), deps.ended(child.id));
      return waited === "parked" ? parkedAnswer() : textOf(resultOf(waited.settled), { isError: waited.settled.state !== "completed" });
    },
  };
}

/** What the caller is told of a run that has ended. */
export function resultOf({ id, worker, state, output, ending, model }: JobRun): string {
  if (state === "completed") return JSON.stringify({ worker, run: id, output, model: model.name });
  return `${worker} ${state === "cancelled" ? "was stopped" : "failed"}: ${ending?.message ?? "no reason is known"}`;
}

/** Asks a person about built-in tools. After a wait without a process, the next call of the same target runs what was approved. */
function builtInGate(run: JobRun, wait: Wait, deps: EquipDeps): Gate {
  const inTurn = createTurns<JobRunId>();
  return async ({ id, name, input: given }, context) => {
    const input = given as Record<string, unknown>; // every built-in tool takes an object
    if (name.startsWith("mcp__") || run.definition.tool_rules[name]?.approval_required !== true) return { allow: true };
    await begun(run, context, deps);
    const granted = await inTurn(run.id, () => takeGrant(run, name, input, { callId: id, deps }));
    if (granted !== null) return granted;
    const decided = await ask(run, wait, deps, context, { rule: name, tool: name, input });
    if (decided === "parked") return { allow: false, reason: `${parkedMark} It waits for a person.`, parks: true };
    return decided.state === "approved"
      ? inTurn(run.id, () => grant(run, decided, id, deps))
      : { allow: false, reason: rejection(decided) };
  };
}

/** An approval that no call has used yet is used by this one. */
async function takeGrant(
  run: JobRun,
  name: string,
  input: Record<string, unknown>,
  { callId, deps }: { callId: string; deps: EquipDeps },
): Promise<GateDecision | null> {
  const used = new Set((await deps.effects.of(run.id)).map((effect) => effect.approval));
  const isSame = (approval: Approval) => approval.tool === name && approval.input["file_path"] === input["file_path"];
  const found = deps.approvals.of(run.id).find((each) => each.state === "approved" && !used.has(each.id) && isSame(each));
  return found === undefined ? null : grant(run, found, callId, deps);
}

async function grant(run: JobRun, approval: Approval, callId: string, { effects }: EquipDeps): Promise<GateDecision> {
  const isUsed = (await effects.of(run.id)).some((effect) => effect.approval === approval.id);
  if (isUsed) return { allow: false, reason: "Another call of the same target has used this approval. Make the call again." };
  await effects.note(run.id, { callId, tool: approval.tool, approval: approval.id, state: "started", result: null });
  const note =
    approval.callId === callId && !isEdited(approval)
      ? {}
      : { note: `${editedNote(approval)}What a person approved ran, in place of this input.` };
  return { allow: true, input: inputOf(approval), ...note };
}
