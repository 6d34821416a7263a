import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { endOrphans } from "../processes/end-orphans.ts";
import { markNames, newMark } from "../processes/mark.ts";
import { createProcessFamilies } from "../processes/process-families.ts";
import { identifyProcess } from "../processes/process-identity.ts";
import { createChildRecords } from "./child-records.ts";

const failOn = (error: unknown) => expect.unreachable(String(error));

const endOrphansIn = (folder: string, onFailure: (error: unknown) => void = failOn) =>
  endOrphans(createChildRecords(folder, onFailure), createProcessFamilies());

/** The records of a hall that has started. */
async function openRecords(folder: string, onFailure: (error: unknown) => void = failOn) {
  const records = createChildRecords(folder, onFailure);
  await records.leftBehind();
  return records;
}

const fileOf = (mark: string) => `${mark.replace("agent:", "")}.json`;

describe("the records of children", () => {
  it("let the next life of the hall end what the last one left", async () => {
    const folder = await temporaryFolder();
    const child = sleeper();
    const mark = newMark("agent");
    (await openRecords(folder)).onSpawn({ pid: pidOf(child), mark });
    await expect.poll(() => readdir(folder)).toEqual([fileOf(mark)]);

    const ended = await endOrphansIn(folder);

    expect(ended).toBe(1);
    expect(await exitOf(child)).toBe("SIGKILL");
    expect(await readdir(folder)).toEqual([]);
  });

  it.runIf(process.platform === "linux")("know of a child before the hall can be killed after it", async () => {
    const folder = await temporaryFolder();
    const records = await openRecords(folder);
    const child = sleeper();

    records.onSpawn({ pid: pidOf(child), mark: newMark("agent") });
    const known = await Promise.resolve().then(() => readdirSync(folder));

    expect(known).toHaveLength(1);
    expect(await endOrphansIn(folder)).toBe(1);
    expect(await identifyProcess(pidOf(child))).toBeNull();
  });

  it.runIf(process.platform === "linux").each([
    ["before it could record the process", () => Promise.resolve()],
    ["while it wrote the record", (path: string) => writeFile(path, "{ half")],
  ])("find a child of a hall that was killed %s by its mark", async (_when, interrupt) => {
    const folder = await temporaryFolder();
    const problems: unknown[] = [];
    const mark = newMark("agent");
    (await openRecords(folder)).onStart({ mark });
    await interrupt(join(folder, fileOf(mark)));
    const child = sleeper({ [markNames.agent]: mark });
    const strangers = [sleeper({ [markNames.agent]: newMark("agent") }), sleeper({ OTHER: `${markNames.agent}=${mark}` })];
    await Promise.all([child, ...strangers].map(hasBegun));

    const ended = await endOrphansIn(folder, (problem) => problems.push(problem));

    expect(ended).toBe(1);
    expect(problems.map(String).filter((problem) => !problem.includes("is broken"))).toEqual([]);
    expect(await identifyProcess(pidOf(child))).toBeNull();
    expect(strangers.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("of the version before, which were named by pid, still let the hall end what it left", async () => {
    const folder = await temporaryFolder();
    const child = sleeper();
    const process = await identifyProcess(pidOf(child));
    await writeFile(join(folder, `${child.pid}.json`), JSON.stringify({ version: 1, process }));

    const ended = await endOrphansIn(folder);

    expect(ended).toBe(1);
    expect(await exitOf(child)).toBe("SIGKILL");
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ["got the pid of a child", { started: "1" }],
    ["has the pid that a child had in another container", { namespace: "pid:[1]" }],
    ["has the pid that a child had on another machine", { machine: "another" }],
  ])("never end a stranger that %s", async (_how, difference) => {
    const folder = await temporaryFolder();
    const stranger = sleeper();
    const mark = newMark("agent");
    (await openRecords(folder)).onSpawn({ pid: pidOf(stranger), mark });
    const path = join(folder, fileOf(mark));
    await expect.poll(() => readdir(folder)).toEqual([fileOf(mark)]);
    const record = JSON.parse(await readFile(path, "utf8")) as { process: object }; // as onSpawn wrote it
    await writeFile(path, JSON.stringify({ ...record, process: { ...record.process, ...difference } }));

    const ended = await endOrphansIn(folder);

    expect(ended).toBe(0);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it("are gone when the child ends, and a broken one is no obstacle, and told", async () => {
    const folder = await temporaryFolder();
    const child = sleeper();
    const mark = newMark("agent");
    const problems: unknown[] = [];
    const records = await openRecords(folder, (problem) => problems.push(problem));
    await writeFile(join(folder, "1.json"), "{ half");

    records.onStart({ mark });
    records.onSpawn({ pid: pidOf(child), mark });
    records.onExit({ mark });
    await expect.poll(() => readdir(folder)).toEqual(["1.json"]);
    await endOrphansIn(folder, (problem) => problems.push(problem));

    expect(await readdir(folder)).toEqual([]);
    expect(problems.map(String)).toEqual([expect.stringContaining(`${join(folder, "1.json")} is broken`)]);
  });

  it("that cannot be written keep no child from starting, and are told", async () => {
    const folder = await temporaryFolder();
    const problems: unknown[] = [];
    const records = await openRecords(folder, (problem) => problems.push(problem));
    const mark = newMark("agent");
    await mkdir(join(folder, fileOf(mark)));

    records.onStart({ mark });

    expect(problems.map(String)).toEqual([expect.stringContaining("EISDIR")]);
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
