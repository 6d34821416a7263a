import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createChildRecords } from "./child-records.ts";
import { identifyProcess } from "./process-identity.ts";

const failOn = (error: unknown) => expect.unreachable(String(error));

describe("the records of children", () => {
  it("let the next life of the hall end what the last one left", async () => {
    const folder = await temporaryFolder();
    const child = sleeper();
    await createChildRecords(folder, failOn).endOrphans();
    createChildRecords(folder, failOn).onSpawn({ pid: pidOf(child) });
    await expect.poll(() => readdir(folder)).toEqual([`${child.pid}.json`]);

    const ended = await createChildRecords(folder, failOn).endOrphans();

    expect(ended).toBe(1);
    expect(await exitOf(child)).toBe("SIGKILL");
    expect(await readdir(folder)).toEqual([]);
  });

  it.runIf(process.platform === "linux")("know of a child before the hall can be killed after it", async () => {
    const folder = await temporaryFolder();
    const records = createChildRecords(folder, failOn);
    await records.endOrphans();
    const child = sleeper();

    records.onSpawn({ pid: pidOf(child) });
    const known = await Promise.resolve().then(() => readdirSync(folder));

    expect(known).toEqual([`${child.pid}.json`]);
    expect(await createChildRecords(folder, failOn).endOrphans()).toBe(1);
    expect(await identifyProcess(pidOf(child))).toBeNull();
  });

  it.runIf(process.platform === "linux")(
    "are not all: a child of a hall that was killed before it could record it is known by its environment",
    async () => {
      const folder = await temporaryFolder();
      const variable = `TMPDIR=${join(folder, "tmp")}/`;
      const child = sleeper({ TMPDIR: join(folder, "tmp/run-1") });
      const strangers = [sleeper({ TMPDIR: join(folder, "tmp-of-others/run-1") }), sleeper({ OTHER: variable })];
      await Promise.all([child, ...strangers].map(hasBegun));

      const ended = await createChildRecords(folder, failOn, variable).endOrphans();

      expect(ended).toBe(1);
      expect(await identifyProcess(pidOf(child))).toBeNull();
      expect(strangers.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null]);
    },
  );

  it.each([
    ["got the pid of a child", { started: "1" }],
    ["has the pid that a child had in another container", { namespace: "pid:[1]" }],
    ["has the pid that a child had on another machine", { machine: "another" }],
  ])("never end a stranger that %s", async (_how, difference) => {
    const folder = await temporaryFolder();
    const stranger = sleeper();
    const records = createChildRecords(folder, failOn);
    await records.endOrphans();
    records.onSpawn({ pid: pidOf(stranger) });
    const path = join(folder, `${stranger.pid}.json`);
    await expect.poll(() => readdir(folder)).toEqual([`${stranger.pid}.json`]);
    const record = JSON.parse(await readFile(path, "utf8")) as { process: object }; // as onSpawn wrote it
    await writeFile(path, JSON.stringify({ ...record, process: { ...record.process, ...difference } }));

    const ended = await records.endOrphans();

    expect(ended).toBe(0);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it("are gone when the child ends, and a broken one is no obstacle, and told", async () => {
    const folder = await temporaryFolder();
    const child = sleeper();
    const problems: unknown[] = [];
    const records = createChildRecords(folder, (problem) => problems.push(problem));
    await records.endOrphans();
    await writeFile(join(folder, "1.json"), "{ half");

    records.onSpawn({ pid: pidOf(child) });
    records.onExit({ pid: pidOf(child) });
    await records.endOrphans();

    await expect.poll(() => readdir(folder)).toEqual([]);
    expect(problems.map(String)).toEqual([expect.stringContaining(`${join(folder, "1.json")} is broken`)]);
  });
});

function sleeper(env: Record<string, string> = {}): ChildProcess {
  const program = "console.log('begun'); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", program], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Between its start and its program a process has no environment of its own. */
async function hasBegun({ stdout }: ChildProcess): Promise<void> {
  if (stdout !== null) await once(stdout, "data");
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("The child did not start.");
  return child.pid;
}

async function exitOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.signalCode === null) await once(child, "exit");
  return child.signalCode;
}
