import { expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { createInsistence } from "./insist.ts";

const readOnly = new HallError("home_unusable", "The disk is read-only.", { details: { isPassing: true } });
const full = new HallError("disk_full", "The disk is full.");
const gone = new HallError("home_unusable", "The folder is gone.", { details: { isPassing: false } });

function insistence({ isOver = (): boolean => false } = {}) {
  const events: SessionEvent[] = [];
  const pauses: number[] = [];
  const insist = createInsistence({
    pause: async (ms) => void pauses.push(ms),
    isOver,
    emit: (event) => void events.push(event),
  });
  return { insist, events, pauses };
}

/** Fails with each of these, and then succeeds. */
function failingWith(...errors: Error[]) {
  return async (): Promise<string> => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return "written";
  };
}

it.each([
  ["full", full],
  ["read-only or failing", readOnly],
])("a write is retried while the disk is %s, and the reason is sent once", async (_how, error) => {
  const { insist, events, pauses } = insistence();

  const result = await insist(failingWith(error, error, error));

  expect([result, pauses]).toEqual(["written", [1000, 1000, 1000]]);
  expect(events).toEqual([{ event: "status", data: { status: "running", error: { code: error.code, message: error.message } } }]);
});

it("a write that cannot succeed later fails at once, and any other in a hall that ends", async () => {
  const open = insistence();
  const ending = insistence({ isOver: () => true });

  await expect(open.insist(failingWith(gone))).rejects.toBe(gone);
  await expect(open.insist(failingWith(new TypeError("a bug")))).rejects.toThrow("a bug");
  await expect(ending.insist(failingWith(readOnly))).rejects.toBe(readOnly);
  expect([open.events, open.pauses, ending.events]).toEqual([[], [], []]);
});
