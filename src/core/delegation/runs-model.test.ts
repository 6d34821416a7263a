import fc from "fast-check";
import { expect, it } from "vitest";
import { inputOf } from "../../schema/approval.ts";
import type { Approval } from "../../schema/approval.ts";
import type { JobRun } from "../../schema/run.ts";
import { createChecks } from "../checks.testing.ts";
import type { Checks } from "../checks.testing.ts";
import { modelRuns } from "../world.testing.ts";
import { builtInWrite, childCall, createRunsStage, writeCall } from "./runs-stage.testing.ts";
import type { RunsStage } from "./runs-stage.testing.ts";

let highest = 1000;
/** A limit that is above all that were given before. */
const higher = (): number => (highest += 1);

const weights = {
  start: 5,
  startFree: 2,
  stop: 2,
  stopAll: 1,
  pause: 1,
  unpause: 2,
  crash: 2,
  close: 1,
  full: 2,
  well: 3,
  say: 2,
  write: 4,
  builtIn: 3,
  child: 4,
  children: 2,
  mixed: 2,
  approve: 5,
  reject: 2,
  time: 4,
  rateLimit: 2,
  tryNow: 1,
  limit: 2,
  raise: 2,
  finish: 1,
  complete: 5,
  fail: 1,
  expired: 1,
} as const;
/** More steps than there ever are. */
const toRest = 1000;

type Act = keyof typeof weights;
type Command = { act: Act; pick: number; steps: number };

const command = fc.record<Command>({
  act: fc.constantFrom(...Object.entries(weights).flatMap(([act, weight]) => Array.from({ length: weight }, () => act as Act))),
  pick: fc.nat(5),
  steps: fc.oneof(fc.nat(8), fc.constant(30), fc.constant(toRest)),
});

async function perform(stage: RunsStage, { act, pick, steps }: Command): Promise<void> {
  const { world } = stage;
  const { runs, slots, state } = stage.hall();
  const open = stage.open();
  const id = open[pick % Math.max(1, open.length)]?.id;
  const path = `${world.below(1e9)}.txt`;
  if (act === "crash") stage.crash();
  else if (act === "full") world.setFull(true);
  else if (act === "well") world.setFull(false);
  else if (act === "time") world.passTime();
  else if (act === "say") stage.model(pick, () => ({ say: "Well." }));
  else if (act === "write") stage.model(pick, () => ({ call: [writeCall(path)] }));
  else if (act === "builtIn") stage.model(pick, () => ({ call: [builtInWrite] }));
  else if (act === "child") stage.model(pick, () => ({ call: [childCall] }));
  else if (act === "children") stage.model(pick, () => ({ call: [childCall, childCall] }));
  else if (act === "mixed") stage.model(pick, () => ({ call: [childCall, writeCall(path), builtInWrite] }));
  else if (act === "rateLimit")
    stage.model(pick, () => ({
      end: { outcome: "failed", code: "model_rate_limited", message: "Limit.", resetsAt: new Date(world.clock() + 60_000).toISOString() },
    }));
  else if (act === "limit")
    stage.model(pick, () => ({ end: { outcome: "failed", code: pick > 2 ? "max_turns" : "budget", message: "Limit." } }));
  else if (act === "complete") stage.model(pick, () => ({ end: { outcome: "completed", text: "Done." } }));
  else if (act === "fail") stage.model(pick, () => ({ end: { outcome: "failed", code: "model_overloaded", message: "Busy." } }));
  else if (act === "expired") stage.model(pick, () => ({ end: { outcome: "failed", code: "session_expired", message: "Gone." } }));
  else if (act === "pause") slots.pause();
  else if (act === "unpause") slots.unpause();
  else if (state !== "open") return;
  else if (act === "close") await stage.close();
  else if (act === "start") stage.start("desk");
  else if (act === "startFree") stage.start("free");
  else if (act === "approve") stage.decide(pick, true);
  else if (act === "reject") stage.decide(pick, false);
  else if (act === "stopAll") stage.ask(runs.stopAll());
  else if (id === undefined) return;
  else if (act === "stop") stage.ask(onlyIfThere(() => runs.stop(id)));
  else if (act === "tryNow") stage.ask(onlyIfThere(() => runs.resume(id)));
  else if (act === "raise") stage.ask(onlyIfThere(() => runs.raise(id, higher())));
  else if (act === "finish") stage.ask(onlyIfThere(() => runs.finish(id)));
  await world.go(steps);
}

/** Some refuse before they return a promise. */
const onlyIfThere = async (act: () => Promise<unknown>): Promise<unknown> => act();

/** What must hold at every moment. */
function lookNow(stage: RunsStage, { same, holds }: Checks): void {
  const { slots, runner } = stage.hall();
  same("breaches", stage.breaches, []);
  holds("more slots than there are", slots.load().held <= 2);
  holds("more use the model than may", runner.atWork().most <= 2);
}

/** What must hold when everything has come as far as it can without time, a person or a model. */
function lookAtRest(stage: RunsStage, { same, holds }: Checks): void {
  const { world } = stage;
  const { slots, runner, state } = stage.hall();
  if (world.isFull() || world.isRestless() || state !== "open") return;
  same("held slots", slots.load().held, runner.atWork().now);
  // What a record shows while its process lives is not written again after a full disk.
  if (world.wasFull()) return;
  const living = new Set(runner.processes().map(({ run }) => run.conversation?.id));
  for (const { id, conversation, ...run } of stage.open())
    holds(`${id} says that it runs`, run.state !== "running" || living.has(conversation));
}

/** The disk is well, every question is answered, every model comes to its end. Everything must end by this. */
async function drain(stage: RunsStage): Promise<void> {
  const { world } = stage;
  world.setFull(false);
  for (let rounds = 0; ; rounds += 1) {
    if (rounds > 400)
      throw new Error(
        `Something waits for ever: ${JSON.stringify(stage.open().map(({ id, state, waitingFor }) => ({ id, state, waitingFor })))}`,
      );
    await world.settle();
    if (stage.hall().state === "broken") stage.crash();
    stage.hall().slots.unpause();
    if (stage.decide(0, rounds % 3 > 0) || stage.model(0, () => ({ end: { outcome: "completed", text: "Done." } }))) continue;
    if (world.passTime()) continue;
    for (const { id } of stage.open()) stage.ask(onlyIfThere(() => stage.hall().runs.raise(id, higher())));
    await world.settle();
    if (stage.open().length === 0) return;
  }
}

/** What must hold when nothing is left to do. */
function lookAtEnd(stage: RunsStage, checks: Checks): void {
  const { slots, runner } = stage.hall();
  const { runs } = stage.disk;
  checks.same("slots", slots.load(), { held: 0, waiting: 0 });
  checks.same("processes", runner.processes().length, 0);
  lookNow(stage, checks);
  for (const id of stage.accepted) checks.holds(`${id} has not ended`, runs.runs.get(id)?.endedAt !== null);
  checks.same("changed after the end", runs.changedAfterEnd, []);
  for (const approval of stage.hall().approvals.list()) lookAtApproval(stage, approval, checks);
  for (const run of runs.runs.values()) lookAtCost(stage, run, checks);
}

function lookAtApproval({ disk: { runs } }: RunsStage, approval: Approval, { same, holds }: Checks): void {
  const { id, state, tool, run, callId } = approval;
  holds(`${id} is still a question`, state !== "pending");
  if (tool !== "write_file") return;
  const path = String(inputOf(approval)["path"]).slice("out/".length);
  const wasWritten = runs.written.has(`${path} ${callId}`);
  if (state !== "approved") same(`written by ${id}, ${state}`, wasWritten, false);
  // A full disk fails the call, and then its worker was told.
  const isToldFailed = runs.events.get(run)?.some(({ event }) => event.type === "tool_result" && event.id === callId && event.isError);
  if (state === "approved" && runs.runs.get(run)?.state === "completed")
    holds(`${id} was not written`, wasWritten || isToldFailed === true);
}

function lookAtCost(stage: RunsStage, { id, state }: JobRun, { same, holds }: Checks): void {
  const { runs, ledger } = stage.disk;
  const events = runs.events.get(id) ?? [];
  const perAttempt = new Map(events.flatMap(({ attempt, event }) => (event.type === "usage" ? [[attempt, event.costUsd]] : [])));
  const used = [...perAttempt.values()].reduce((sum, costUsd) => sum + costUsd, 0);
  const costUsd = [...ledger.costs.values()].reduce((sum, cost) => sum + (cost.runId === id ? cost.costUsd : 0), 0);
  // A crash in the moment of a stop loses what the last response cost.
  if (state === "cancelled" && stage.lives() > 1) holds(`cost of ${id}`, costUsd <= used);
  else same(`cost of ${id}, ${state}`, costUsd, used);
}

it("ends each accepted job once, whatever happens in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(command, { minLength: 4, maxLength: 40 }), async (seed, commands) => {
      const checks = createChecks();
      const stage = createRunsStage(seed);
      await stage.world.settle();

      for (const each of commands) {
        await perform(stage, each);
        lookNow(stage, checks);
        if (each.steps === toRest) lookAtRest(stage, checks);
      }
      await drain(stage);
      lookAtEnd(stage, checks);

      expect(checks.breaches).toEqual([]);
    }),
    { numRuns: modelRuns },
  );
});
