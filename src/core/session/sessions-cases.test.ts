import { describe, expect, it } from "vitest";
import type { SessionId } from "../../schema/ids.ts";
import { textIn } from "../run/notes.ts";
import { createSessionsStage } from "./sessions-stage.testing.ts";
import type { SessionsStage } from "./sessions-stage.testing.ts";

/** A hall with sessions, and everything settled. */
async function openStage({ sessions = 1, seed = 1 } = {}): Promise<{ stage: SessionsStage; ids: SessionId[]; id: SessionId }> {
  const stage = createSessionsStage(seed);
  await stage.world.settle();
  for (let count = 0; count < sessions; count += 1) await stage.create();
  const ids = stage.sessionIds();
  const [id] = ids;
  if (id === undefined) throw new Error("There is no session.");
  return { stage, ids, id };
}

function storedOf({ disk: { sessions } }: SessionsStage, id: SessionId) {
  const session = sessions.sessions.get(id);
  const messages = sessions.messages.get(id) ?? [];
  return { session, messages, isCounted: session?.messageCount === messages.length };
}

/** The machine rests, and what was tried again because of the disk has had its time. */
async function settle({ world }: SessionsStage): Promise<void> {
  do await world.settle();
  while (world.isRestless() && world.passTime());
}

const complete = () => ({ end: { outcome: "completed", text: "Done." } }) as const;

/** Moments of an acceptance, after so many steps of it, each with several orders of what goes on side by side. */
const moments = Array.from({ length: 8 * 24 }, (_, at) => ({ steps: at % 8, seed: Math.floor(at / 8) }));

describe("a message that is stopped while it is accepted", () => {
  it("is in the history once and counted once, at whatever moment", async () => {
    for (const { steps, seed } of moments) {
      const { stage, id } = await openStage({ seed });
      stage.send(id);
      await stage.world.go(steps);

      stage.ask(stage.hall().sessions.runs.stopAll());
      await settle(stage);
      stage.model(0, complete);
      await settle(stage);

      const { session, messages, isCounted } = storedOf(stage, id);
      expect({ seed, steps, isCounted, status: session?.status }).toEqual({ seed, steps, isCounted: true, status: "idle" });
      expect([undefined, "stopped"]).toContain(session?.error?.code);
      expect(messages.filter(({ role }) => role === "user")).toHaveLength(1);
    }
  });

  it("is not in the history if its sender was told that the disk is full, at whatever moment", async () => {
    for (const { steps, seed } of moments) {
      const { stage, id } = await openStage({ seed });
      stage.send(id);
      await stage.world.go(steps);

      stage.world.setFull(true);
      stage.ask(stage.hall().sessions.runs.stopAll());
      await stage.world.settle();
      stage.world.setFull(false);
      await settle(stage);
      stage.model(0, complete);
      await settle(stage);

      const isRefused = stage.sent[0]?.reply === "refused";
      expect(storedOf(stage, id).messages.filter(({ role }) => role === "user")).toHaveLength(isRefused ? 0 : 1);
      expect(storedOf(stage, id)).toMatchObject({ session: { status: "idle" }, isCounted: true });
    }
  });
});

it("keeps a message that waited for its turn when the hall starts again on a full disk", async () => {
  const { stage, id } = await openStage();
  // Nothing of it is in the history yet, only in the record of the engine.
  stage.send(id);
  while (stage.disk.engine.size === 0) await stage.world.go(1);

  stage.crash();
  stage.world.setFull(true);
  await stage.world.settle();
  stage.world.setFull(false);
  await settle(stage);
  stage.model(0, complete);
  await settle(stage);

  expect(storedOf(stage, id).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(storedOf(stage, id)).toMatchObject({ session: { status: "idle", error: null }, isCounted: true });
});

it("ends what a crash left before it takes another message, also if the disk was full at the start", async () => {
  for (const { steps, seed } of moments) {
    const { stage, id } = await openStage({ seed });
    stage.send(id);
    await stage.world.go(steps + 4);

    stage.crash();
    stage.world.setFull(true);
    do await stage.world.settle();
    while (stage.hall().state === "starting" && stage.world.passTime());
    stage.world.setFull(false);
    stage.send(id);
    await settle(stage);
    while (stage.model(0, complete)) await settle(stage);

    const { messages, isCounted } = storedOf(stage, id);
    expect({ seed, steps, isCounted, count: messages.length > 0 }).toEqual({ seed, steps, isCounted: true, count: true });
  }
});

it("has a message once in the history if one before it was refused and a crash brings both back", async () => {
  let broughtBack = 0;
  for (const { steps, seed } of moments) {
    const { stage, id } = await openStage({ seed });
    // The engine has it, and the disk is full before the history does.
    stage.send(id);
    await stage.world.go(2);
    stage.world.setFull(true);
    await stage.world.settle();
    stage.world.setFull(false);
    stage.send(id);
    await stage.world.go(steps);

    stage.crash();
    await settle(stage);
    while (stage.model(0, complete)) await settle(stage);

    const said = storedOf(stage, id).messages.map((message) => message.id);
    expect({ seed, steps, times: said.length }).toEqual({ seed, steps, times: new Set(said).size });
    if (stage.sent.some(({ isExcused }) => isExcused === true)) broughtBack += 1;
  }

  expect(broughtBack).toBeGreaterThan(0);
});

it("settles a run whose agent has read a note, as it does any other that a crash cut off", async () => {
  const { stage, id } = await openStage();
  stage.send(id);
  await settle(stage);
  stage.note(id);
  await settle(stage);
  stage.model(0, () => ({ call: [{ name: "Read", input: {} }] }));
  await settle(stage);
  stage.model(0, () => ({ say: "I have read it." }));
  await settle(stage);

  stage.crash();
  await settle(stage);

  const { session, messages, isCounted } = storedOf(stage, id);
  expect(messages.filter(({ note }) => note !== undefined).map(textIn)).toEqual([stage.sent[1]?.text]);
  expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" }, costUsd: 0.5 });
  expect(isCounted).toBe(true);
});

it("lets others use the model while eight sessions wait for a person on a hall with two slots", async () => {
  const { stage, ids } = await openStage({ sessions: 9 });
  for (const id of ids.slice(0, 8)) stage.send(id);
  for (let asked = 0; asked < 8; asked += 1) {
    await settle(stage);
    stage.model(0, () => ({ call: [{ name: "mcp__person__ask", input: {} }] }));
  }
  await settle(stage);
  expect(stage.hall().asked.size).toBe(8);
  expect(stage.hall().slots.load()).toEqual({ held: 0, waiting: 0 });
  const [last] = ids.slice(8);

  if (last !== undefined) stage.send(last);
  await settle(stage);
  stage.model(0, complete);
  await settle(stage);

  expect(last === undefined ? null : storedOf(stage, last)).toMatchObject({ session: { status: "idle", error: null, messageCount: 2 } });
});
