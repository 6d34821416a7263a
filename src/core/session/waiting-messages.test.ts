import { expect, it } from "vitest";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import type { Message, Session } from "../../schema/session.ts";
import { createTurns } from "../in-turn.ts";
import { createWaitingMessages } from "./waiting-messages.ts";

it("takes no message back that is being sent", async () => {
  const id = newSessionId();
  const message: Message = { id: newMessageId(), role: "user", at: "2026-01-01T00:00:00.000Z", blocks: [{ type: "text", text: "Go." }] };
  let queued: readonly Message[] = [message];
  const [asked, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waiting = createWaitingMessages({
    queue: { read: async () => [...queued], write: async (_id, left) => void (queued = left) },
    runs: {
      isKnown: async () => false,
      mustBeOver: async () => undefined,
      notYetSaid: async (_id, all) => [...all],
      accept: async () => {
        asked.resolve();
        await mayGo.promise;
      },
    },
    inTurn: createTurns(),
    mustGet: async () => ({ id, name: "Busy", status: "idle" }) as Session, // no more of it is looked at
    mustAfford: () => undefined,
    change: () => Promise.reject(new Error("Nothing is held back.")),
    onQueueChanged: () => undefined,
    pause: async () => undefined,
    onProblem: (error) => expect.unreachable(String(error)),
  });

  const sent = waiting.sendNext(id);
  await asked.promise;
  const removed = waiting.remove(id, message.id);
  mayGo.resolve();

  expect(await sent).toEqual({ messageId: message.id });
  await expect(removed).rejects.toMatchObject({ code: "not_found" });
});
