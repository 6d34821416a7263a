import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startProgram } from "../files/child-program.testing.ts";
import { identifyProcess, identifyThisProcess, isAlive } from "./process-identity.ts";

const homeHolder = new URL("../files/home-holder.testing.ts", import.meta.url);

describe("the identity of a process", () => {
  it("stays the same while it lives, and is alive", async () => {
    const identity = await identifyThisProcess();

    expect(await identifyThisProcess()).toEqual(identity);
    expect(await isAlive(identity)).toBe(true);
  });

  it("is dead after kill -9", async () => {
    const child = startProgram(homeHolder, [await temporaryFolder()]);
    await child.line();
    const identity = await identifyProcess(child.pid);

    await child.kill();

    expect(identity).not.toBeNull();
    expect(identity && (await isAlive(identity))).toBe(false);
    expect(await identifyProcess(child.pid)).toBeNull();
  });

  it("is alive while the process is only stopped", async () => {
    const child = startProgram(homeHolder, [await temporaryFolder()]);
    await child.line();
    const identity = await identifyProcess(child.pid);

    child.pause();

    expect(identity && (await isAlive(identity))).toBe(true);
  });

  it("is dead where its process id belongs to another process now", async () => {
    const identity = await identifyThisProcess();

    expect(await isAlive({ ...identity, started: `${identity.started}0` })).toBe(false);
  });

  it("is dead where this machine was started anew since", async () => {
    const identity = await identifyThisProcess();

    expect(await isAlive({ ...identity, boot: "an earlier boot" })).toBe(false);
  });

  it("is never called dead where it cannot be seen from here", async () => {
    const identity = await identifyThisProcess();
    const gone = { ...identity, pid: 2 ** 22 + 1 };

    expect(await isAlive(gone)).toBe(false);
    expect(await isAlive({ ...gone, namespace: "another container" })).toBe(true);
    expect(await isAlive({ ...gone, machine: "another machine" })).toBe(true);
    expect(await isAlive({ ...gone, machine: "another machine", boot: "another boot" })).toBe(true);
  });
});
