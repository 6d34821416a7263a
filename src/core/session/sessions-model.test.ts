import fc from "fast-check";
import { expect, it } from "vitest";
import { createChecks } from "../checks.testing.ts";
import type { Checks } from "../checks.testing.ts";
import { textIn } from "../run/notes.ts";
import { modelRuns } from "../world.testing.ts";
import { atOnce, createSessionsStage, storedOf } from "./sessions-stage.testing.ts";
import type { SessionsStage, StoredSession } from "./sessions-stage.testing.ts";

let highest = 1000;
/** A limit that is above all that were given before. */
const higher = (): number => (highest += 1);

const weights = {
  send: 6,
  queue: 4,
  note: 2,
  takeBack: 1,
  stop: 2,
  stopAll: 1,
  pause: 1,
  unpause: 2,
  remove: 1,
  sendNext: 1,
  crash: 2,
  full: 2,
  well: 3,
  say: 4,
  ask: 3,
  answer: 3,
  rateLimit: 2,
  tryNow: 1,
  time: 3,
  turnLimit: 2,
  raise: 2,
  finish: 1,
  complete: 5,
  fail: 1,
  two: 2,
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

async function perform(stage: SessionsStage, { act, pick, steps }: Command): Promise<void> {
  const { world } = stage;
  const { sessions, slots, state } = stage.hall();
  const ids = stage.sessionIds();
  const id = ids[pick % Math.max(1, ids.length)];
  const isOpen = state === "open";
  if (act === "crash") stage.crash();
  else if (act === "full") world.setFull(true);
  else if (act === "well") world.setFull(false);
  else if (act === "time") world.passTime();
  else if (act === "say") stage.model(pick, () => ({ say: "Well." }));
  else if (act === "ask") stage.model(pick, () => ({ call: [{ name: "mcp__person__ask", input: {} }] }));
  else if (act === "two")
    stage.model(pick, () => ({
      call: [
        { name: "mcp__person__ask", input: {} },
        { name: pick > 2 ? "Read" : "mcp__person__ask", input: {} },
      ],
    }));
  else if (act === "rateLimit")
    stage.model(pick, () => ({
      end: { outcome: "failed", code: "model_rate_limited", message: "Limit.", resetsAt: new Date(world.clock() + 60_000).toISOString() },
    }));
  else if (act === "turnLimit")
    stage.model(pick, () => ({ end: { outcome: "failed", code: pick > 2 ? "max_turns" : "budget", message: "Limit." } }));
  else if (act === "complete") stage.model(pick, () => ({ end: { outcome: "completed", text: "Done." } }));
  else if (act === "fail") stage.model(pick, () => ({ end: { outcome: "failed", code: "model_overloaded", message: "Busy." } }));
  else if (act === "answer") stage.answer(pick);
  else if (act === "pause") slots.pause();
  else if (act === "unpause") slots.unpause();
  else if (!isOpen || id === undefined) return;
  else if (act === "send") stage.send(id);
  else if (act === "queue") stage.queue(id);
  else if (act === "note") stage.note(id);
  else if (act === "takeBack") stage.takeBack(id);
  else if (act === "stop") stage.ask(sessions.stop(id));
  else if (act === "stopAll") stage.ask(sessions.runs.stopAll());
  else if (act === "remove") stage.remove(id);
  else if (act === "sendNext") stage.ask(sessions.queue.sendNext(id));
  else if (act === "tryNow") stage.ofRun(id, (runs, run) => runs.resume(run));
  else if (act === "raise") stage.ofRun(id, (runs, run) => runs.raise(run, higher()));
  else if (act === "finish") stage.ofRun(id, (runs, run) => runs.finish(run));
  await world.go(steps);
}

/** What must hold at every moment. */
function lookNow(stage: SessionsStage, { same, holds }: Checks): void {
  const { slots, runner } = stage.hall();
  same("breaches", stage.breaches, []);
  holds("more slots than there are", slots.load().held <= atOnce);
  holds("more use the model than may", runner.atWork().most <= atOnce);
  for (const [run, ends] of stage.done) same(`ends of ${run}`, ends.size, 1);
}

/** What must hold when everything has come as far as it can without time, a person or a model. */
function lookAtRest(stage: SessionsStage, { same, holds }: Checks): void {
  const { world, disk } = stage;
  const { slots, runner, state } = stage.hall();
  if (world.isFull() || world.isRestless() || state !== "open") return;
  same("held slots", slots.load().held, runner.atWork().now);
  const open = new Set([...disk.engine.values()].flatMap(({ job }) => (job.endedAt === null ? [job.lane] : [])));
  for (const { id, status } of disk.sessions.sessions.values()) holds(`${id} says that it runs`, status !== "running" || open.has(id));
}

/** The disk is well, every question is answered, every model comes to its end. Everything must end by this. */
async function drain(stage: SessionsStage): Promise<void> {
  const { world } = stage;
  world.setFull(false);
  for (let rounds = 0; ; rounds += 1) {
    if (rounds > 400) throw new Error(`Something waits for ever: ${JSON.stringify(leftOver(stage))}`);
    await world.settle();
    const { slots, state, sessions } = stage.hall();
    if (state === "broken") stage.crash();
    slots.unpause();
    if (stage.answer(0) || stage.model(0, () => ({ end: { outcome: "completed", text: "Done." } }))) continue;
    if (world.passTime()) continue;
    for (const id of stage.sessionIds()) stage.ofRun(id, (runs, run) => runs.raise(run, higher()));
    for (const { session } of storedOf(stage)) stage.ask(sessions.queue.sendNext(session.id));
    await world.settle();
    if (leftOver(stage).length === 0) return;
  }
}

const leftOver = (stage: SessionsStage) => [
  ...storedOf(stage).flatMap(({ session, waiting }) =>
    session.status === "running" || waiting.length > 0
      ? [{ session: session.id, status: session.status, error: session.error, waiting: waiting.length }]
      : [],
  ),
  ...[...stage.disk.engine.values()].flatMap(({ job }) => (job.endedAt === null ? [{ job: job.id, state: job.state }] : [])),
];

/** What must hold when nothing is left to do. */
function lookAtEnd(stage: SessionsStage, checks: Checks): void {
  const { slots, runner } = stage.hall();
  checks.same("slots", slots.load(), { held: 0, waiting: 0 });
  checks.same("processes", runner.processes().length, 0);
  lookNow(stage, checks);
  for (const stored of storedOf(stage)) lookAtSession(stage, stored, checks);
}

function lookAtSession({ sent, disk }: SessionsStage, { session, messages }: StoredSession, { same, holds }: Checks): void {
  const said = messages.filter(({ role }) => role === "user").map(textIn);
  const ofSession = sent.filter((one) => one.session === session.id);
  same("messages of one id", new Set(messages.map(({ id }) => id)).size, messages.length);
  for (const { text, how, reply, isTakenBack, isExcused } of ofSession) {
    const times = said.filter((each) => each === text).length;
    if (reply === "accepted" && isTakenBack !== true) same(`${text} (${how}) in the history`, times, 1);
    if (reply === "refused" && isExcused !== true) same(`refused ${text} in the history`, times, 0);
    holds(`${text} is there more than once`, times <= 1);
  }

  const excused = new Set(ofSession.flatMap(({ text, isExcused }) => (isExcused === true ? [text] : [])));
  const asked = messages.filter((message) => message.role === "user" && message.note === undefined && !excused.has(textIn(message)));
  const { waited } = disk.sessions;
  const atOnceSent = asked.filter(({ id }) => !waited.has(id)).map(textIn);
  same(
    "order of what was sent",
    atOnceSent,
    ofSession.map(({ text }) => text).filter((text) => atOnceSent.includes(text)),
  );
  const laterSent = asked.filter(({ id }) => waited.has(id)).map(({ id }) => id);
  same(
    "order of what waited",
    laterSent,
    [...waited].filter((id) => laterSent.includes(id)),
  );

  same("counted messages", session.messageCount, messages.length);
  const isAnyRefused = ofSession.some(({ reply }) => reply === "refused");
  if (!isAnyRefused)
    same("last ended", session.endedQuery, messages.findLast(({ role, note }) => role === "user" && note === undefined)?.id ?? null);
  const costs = [...disk.ledger.costs.values()].filter(({ owner }) => owner.id === session.id);
  same(
    "cost",
    session.costUsd,
    costs.reduce((sum, { costUsd }) => sum + costUsd, 0),
  );
}

it("ends each accepted message once, whatever happens in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(command, { minLength: 4, maxLength: 40 }), async (seed, commands) => {
      const checks = createChecks();
      const stage = createSessionsStage(seed);
      await stage.world.settle();
      for (let count = 0; count < 3; count += 1) await stage.create();

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
