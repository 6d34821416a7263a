import { expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { createMessageQueue } from "./message-queue.ts";

const message: Message = { id: newMessageId(), role: "user", at: "2026-01-01T00:00:00.000Z", blocks: [{ type: "text", text: "Go." }] };

/** A disk that is full; with `isLate` it has replaced the file by the time it says so. */
function fullDisk({ isLate }: { isLate: boolean }) {
  let kept: readonly Message[] = [];
  return createMessageQueue({
    read: async () => [...kept],
    async write(_id, messages) {
      if (isLate) kept = messages;
      throw new HallError("disk_full", "The disk is full.");
    },
  });
}

it("refuses a message that could not be stored, and no other: one that is stored will be sent", async () => {
  const [late, early] = [fullDisk({ isLate: true }), fullDisk({ isLate: false })];
  const id = newSessionId();

  await late.add(id, message);

  await expect(early.add(id, message)).rejects.toMatchObject({ code: "disk_full" });
  expect(await late.list(id)).toEqual([message]);
});
