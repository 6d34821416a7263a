import { expect, it } from "vitest";
import { HallError } from "../schema/hall-error.ts";
import { patiently } from "./patiently.ts";

const away = () => new HallError("hall_unreachable", "No hall answers.");

/** Fails with each of these in turn, and then answers. */
function hallThatFails(...failures: Error[]) {
  let asked = 0;
  return {
    asked: () => asked,
    ask: async () => {
      const failure = failures[asked];
      asked += 1;
      if (failure !== undefined) throw failure;
      return "here";
    },
  };
}

const waiting = { signal: new AbortController().signal, patience: 2, pauseMs: 0 };

it("asks again until the hall is back", async () => {
  const hall = hallThatFails(away(), new HallError("shutting_down", "The hall is closing."));

  expect(await patiently(hall.ask, waiting)).toBe("here");
  expect(hall.asked()).toBe(3);
});

it("gives up when the hall stays away, when it was told to leave, and at once where the hall refused", async () => {
  const gone = hallThatFails(away(), away(), away());
  const left = hallThatFails(away());
  const refusing = hallThatFails(new HallError("not_found", "There is no such session."));

  await expect(patiently(gone.ask, waiting)).rejects.toThrow("No hall answers.");
  await expect(patiently(left.ask, { ...waiting, signal: AbortSignal.abort() })).rejects.toThrow("No hall answers.");
  await expect(patiently(refusing.ask, waiting)).rejects.toThrow("There is no such session.");
  expect([gone.asked(), left.asked(), refusing.asked()]).toEqual([3, 1, 1]);
});
