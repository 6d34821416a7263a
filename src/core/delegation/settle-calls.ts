import type { Approval } from "../../schema/approval.ts";
import type { JobRun } from "../../schema/run.ts";
import type { Transcript } from "../agent/agent-run.ts";
import type { Effect, RunStore } from "../run/run-store.ts";
import { hasEnded, waitsForChild, waitsForPerson } from "../run/run-records.ts";
import type { RunCall } from "../run/next-step.ts";
import { rejection, resultOf } from "./equip-run.ts";
import type { EquipDeps } from "./equip-run.ts";
import { failureWords, writeFileTool, writeOnce } from "./write-file.ts";

type SettleDeps = Pick<EquipDeps, "approvals" | "effects" | "rootOf"> & { store: RunStore };

/** What became of the calls of a run that has no process. Approved calls of our own tools are run here, once. */
export async function settleCalls(
  run: JobRun,
  transcript: Transcript,
  isAnswered: (callId: string) => boolean,
  deps: SettleDeps,
): Promise<RunCall[]> {
  const effects = await deps.effects.of(run.id);
  const children = deps.store.childrenOf(run.id).map((child): RunCall => {
    const callId = child.callId ?? "";
    if (!hasEnded(child)) return { callId, waitingFor: waitsForChild(child.id, child.createdAt) };
    return { key: child.id, callId, tool: `worker_call ${child.worker}`, outcome: resultOf(child) };
  });
  const approvals = deps.approvals.of(run.id);
  const asked: RunCall[] = [];
  for (const approval of approvals) asked.push(...(await callsOf(run, approval, effects, isAnswered, deps)));
  const unasked: RunCall[] = [];
  for (const effect of effects.filter(({ approval }) => approval === null)) unasked.push(await ownCall(run, effect, transcript, deps));
  const known = new Set([...children, ...approvals, ...effects].map(({ callId }) => callId));
  const cutOff = transcript.calls.filter(({ id }) => !known.has(id) && !isAnswered(id));
  return [...children, ...asked, ...unasked, ...callsThatNeverRan(run, cutOff)];
}

/** Calls that were cut off before the hall recorded anything. For a built-in tool without a rule, the SDK itself tells the model. */
function callsThatNeverRan(run: JobRun, cutOff: Transcript["calls"]): RunCall[] {
  const isOurs = (name: string) => name.startsWith("mcp__") || run.definition.tool_rules[name]?.approval_required === true;
  const never = cutOff.filter(({ name }) => isOurs(name));
  return never.map(({ id, name, input }) => ({
    key: id,
    callId: id,
    tool: `${name} ${JSON.stringify(input)}`,
    outcome: "It was cut off before it ran. Make the call again if you still need it.",
  }));
}

async function callsOf(
  run: JobRun,
  approval: Approval,
  effects: readonly Effect[],
  isAnswered: (callId: string) => boolean,
  deps: SettleDeps,
): Promise<RunCall[]> {
  const { id, callId, tool, state } = approval;
  if (state === "pending") return [{ callId, waitingFor: waitsForPerson(id, approval.createdAt) }];
  const call = { key: id, callId, tool: `${tool} ${JSON.stringify(approval.input)}` };
  if (state !== "approved") return [{ ...call, outcome: rejection(approval) }];
  if (tool === writeFileTool) {
    if (isAnswered(callId)) return [];
    const write = writeOnce(run, { callId, approval, input: approval.input, rootOf: deps.rootOf }, deps.effects);
    const outcome = await write.then((result) => `It has run. ${result}`, failureWords);
    return [{ ...call, outcome: `A person approved it. ${outcome}` }];
  }
  const effect = effects.find((each) => each.approval === id);
  if (effect === undefined) {
    return [
      {
        ...call,
        isDue: true,
        outcome: `A person approved it, and it has not run. Call ${tool} again for the same target: what was approved runs then.`,
      },
    ];
  }
  if (effect.state === "done" || isAnswered(effect.callId)) return [];
  await deps.approvals.markUnknown(id);
  const outcome =
    "It was approved and begun, and the hall ended before it was known to be done. Look whether it took effect, and do not repeat it before.";
  return [{ ...call, key: `${id}:unknown`, callId: `${effect.callId}:unknown`, outcome }];
}

/** Completes a write without approval that was cut off, exactly once. */
async function ownCall(run: JobRun, effect: Effect, transcript: Transcript, deps: SettleDeps): Promise<RunCall> {
  const { callId, tool } = effect;
  const input = transcript.calls.find(({ id }) => id === callId)?.input ?? {};
  const call = { callId, approval: null, input: input as Record<string, unknown>, rootOf: deps.rootOf };
  const outcome = effect.result ?? (await writeOnce(run, call, deps.effects).catch(failureWords));
  return { key: callId, callId, tool, outcome };
}
