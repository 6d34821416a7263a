import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../members/member-stage.testing.ts";
import { startChild } from "./child.ts";
import { endChild } from "./end-child.ts";
import { endOrphans } from "./end-orphans.ts";
import { markNames, newMark } from "./mark.ts";
import { createProcessFamilies } from "./process-families.ts";

/** A child that starts a program in a new session without the variables of the child, and prints its pid. */
async function startChildWithRunaway() {
  const mark = newMark("agent");
  const script = `const { spawn } = require("node:child_process");
    console.log(spawn("sleep", ["1000"], { detached: true, stdio: "ignore", env: {} }).pid);
    setInterval(() => {}, 1000);`;
  const env = { PATH: process.env["PATH"], [markNames.agent]: mark };
  const child = startChild({ program: process.execPath, args: ["-e", script], env, mark, deathSignal: [] });
  const [printed] = (await once(child.process.stdout, "data")) as [Buffer]; // as a stream without an encoding gives it
  const runaway = Number(printed);
  onTestFinished(() => {
    child.kill("SIGKILL");
    if (isRunning(runaway)) process.kill(runaway, "SIGKILL");
  });
  return { child, mark, runaway };
}

const recordsOf = (mark: string | null) => {
  const removed: string[] = [];
  return {
    removed,
    leftBehind: async () => [{ name: "one", mark, process: null }],
    remove: async (name: string) => void removed.push(name),
  };
};

describe.runIf(process.platform === "linux")("the orphans of a killed hall", () => {
  it("are found by the limit of their mark when they have shed variables, group and parent (SEC-17)", async () => {
    const { child, mark, runaway } = await startChildWithRunaway();
    await endChild(child, []);
    expect(isRunning(runaway)).toBe(true);
    const records = recordsOf(mark);

    const ended = await endOrphans(records, createProcessFamilies());

    expect([ended, records.removed]).toEqual([1, ["one"]]);
    expect(isRunning(runaway)).toBe(false);
  });

  it("are none for a record without mark and process, whatever else runs", async () => {
    const { child, runaway } = await startChildWithRunaway();
    const records = recordsOf(null);

    const ended = await endOrphans(records, createProcessFamilies());

    expect([ended, records.removed]).toEqual([0, ["one"]]);
    expect([child.exit(), isRunning(runaway)]).toEqual([null, true]);
  });
});

describe("ending a child", () => {
  it("takes the next step when the one before has not helped, and kills in the end (SEC-17)", async () => {
    const { child } = await startChildWithRunaway();
    const taken: string[] = [];

    await endChild(child, [
      { ask: () => Promise.reject(new Error("not connected")), ms: 60_000 },
      { ask: () => void taken.push("asked"), ms: 10 },
      { ask: () => void taken.push("asked again"), ms: 10 },
    ]);

    expect(taken).toEqual(["asked", "asked again"]);
    expect(child.exit()).toEqual({ code: null, signal: "SIGKILL" });
  });
});
