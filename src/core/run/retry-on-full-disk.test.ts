import { expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { createDiskRetry } from "./retry-on-full-disk.ts";

const readOnly = new HallError("home_unusable", "The disk is read-only.", { details: { isPassing: true } });
const full = new HallError("disk_full", "The disk is full.");
const gone = new HallError("home_unusable", "The folder is gone.", { details: { isPassing: false } });

function diskRetry({ isOver = (): boolean => false } = {}) {
  const held: unknown[] = [];
  const pauses: number[] = [];
  const retry = createDiskRetry({
    pause: async (ms) => void pauses.push(ms),
    isOver,
    onHeld: (reason) => void held.push(reason),
  });
  return { retry, held, pauses };
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
  const { retry, held, pauses } = diskRetry();

  const result = await retry(failingWith(error, error, error));

  expect([result, pauses]).toEqual(["written", [1000, 1000, 1000]]);
  expect(held).toEqual([{ code: error.code, message: error.message }]);
});

it("a write that cannot succeed later fails at once, and any other in a hall that ends", async () => {
  const open = diskRetry();
  const ending = diskRetry({ isOver: () => true });

  await expect(open.retry(failingWith(gone))).rejects.toBe(gone);
  await expect(open.retry(failingWith(new TypeError("a bug")))).rejects.toThrow("a bug");
  await expect(ending.retry(failingWith(readOnly))).rejects.toBe(readOnly);
  expect([open.held, open.pauses, ending.held]).toEqual([[], [], []]);
});
