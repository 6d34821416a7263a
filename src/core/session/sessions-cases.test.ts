import { expect, it } from "vitest";
import type { SessionId } from "../../schema/ids.ts";
import { textIn } from "../run/carry-out.ts";
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
