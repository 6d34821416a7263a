import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { killAgent, killHall, killHallAtWrite } from "./killed.ts";
import { createRandom } from "./random.ts";

/** Each starts two halls and four agents, which takes its time where much else is going on. */
const timeout = 180_000;

describe("a conversation", { timeout }, () => {
  it.each([1, 2])("survives the hall being killed at any moment, with all that was accepted and shown (seed %i)", async (seed) => {
    const home = join(await temporaryFolder(), "home");

    const faults = await killHall(home, createRandom(seed));

    expect(faults).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])("survives the hall dying between two writes, with a message that waits for its turn (seed %i)", async (seed) => {
    const home = join(await temporaryFolder(), "home");

    const faults = await killHallAtWrite(home, createRandom(seed));

    expect(faults).toEqual([]);
  });

  it.each([1, 2])("survives its agent being killed at any moment (seed %i)", async (seed) => {
    const home = join(await temporaryFolder(), "home");

    const faults = await killAgent(home, createRandom(seed));

    expect(faults).toEqual([]);
  });
});
