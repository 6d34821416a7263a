import { spawn } from "node:child_process";
import { cp, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { EngineJobId, MemberName } from "../../schema/ids.ts";
import { startProgram } from "./child-program.testing.ts";
import { createChildRecords } from "./child-records.ts";
import { leaseDocument } from "./engine/job-documents.ts";
import { createFileJobEngine } from "./engine/job-engine.ts";
import { createSmallDisk } from "./failing-disk.testing.ts";
import { failureOf } from "./failure-of.testing.ts";
import { readHallAddress } from "./home-lock.ts";
import { openHome } from "./home.ts";
import { createLayout } from "./layout.ts";
import { createMemberRecords } from "./members/member-records.ts";
import { endOrphans } from "../processes/end-orphans.ts";
import { newMark } from "../processes/mark.ts";
import { createProcessFamilies } from "../processes/process-families.ts";

const homeHolder = new URL("./home-holder.testing.ts", import.meta.url);
const opening = { address: "http://127.0.0.1:4870", version: "0.1.0" };
const member = MemberName.parse("example");
const begun = EngineJobId.parse("begun");
const submitted = EngineJobId.parse("submitted");
const onProblem = (error: unknown) => {
  throw error;
};

/** A home that a hall works in: it has an agent and a member, one query runs and one waits. */
async function workingHome() {
  const home = join(await temporaryFolder(), "home");
  const hall = startProgram(homeHolder, [home, "http://127.0.0.1:1234"]);
  await hall.line();
  const layout = createLayout(home);
  const [agent, memberProcess] = [sleeper(), sleeper()];
  const children = createChildRecords(layout.agentStates, onProblem);
  await children.leftBehind();
  const mark = newMark("agent");
  children.onSpawn({ pid: agent.pid, mark });
  await expect.poll(() => readFile(join(layout.agentStates, `${mark.replace("agent:", "")}.json`), "utf8")).toContain("process");
  const members = createMemberRecords({ layout, onProblem });
  await members.begin(member, { mark: "mark-of-the-test", port: null, startedAt: new Date().toISOString() });
  await members.identify(member, memberProcess.pid);
  const engine = createFileJobEngine({ folder: layout.engine.folder, onProblem });
  await engine.start();
  for (const id of [begun, submitted]) await engine.submit({ id, kind: "query", lane: id, payload: null });
  await leaseDocument.write(layout.engine.lease(begun, 1), { attempt: 1, startedAt: new Date().toISOString() });
  return { home, hall, agent, memberProcess };
}

/** Leads a group, as the children of a hall do. */
function sleeper(): { pid: number; isAlive: () => boolean } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1e9)"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { pid: child.pid ?? expect.unreachable("it has started"), isAlive: () => child.exitCode === null && child.signalCode === null };
}

describe("a copy of the home of a running hall", () => {
  it("is a home of its own: nothing runs there, nothing of the original is ended, and what ran there is begun by nobody again", async () => {
    const { home, agent, memberProcess } = await workingHome();
    const copy = join(home, "../copy");
    await cp(home, copy, { recursive: true });
    expect(await readHallAddress(copy)).toBeNull();

    const { layout, release } = await openHome(copy, opening);
    const ended = await endOrphans(createChildRecords(layout.agentStates, onProblem), createProcessFamilies());
    const left = await createMemberRecords({ layout, onProblem }).leftBehind();
    const engine = createFileJobEngine({ folder: layout.engine.folder, onProblem });
    await engine.start();
    const ran: string[] = [];
    const settled: string[] = [];
    await engine.consume(
      "query",
      { capacity: 2, attempts: 1 },
      async ({ job }) => void ran.push(job.id),
      async ({ id }) => void settled.push(id),
    );
    await expect.poll(async () => (await engine.get(submitted))?.state).toBe("completed");

    expect({ ended, left, ran, settled }).toEqual({ ended: 0, left: [], ran: [submitted], settled: [begun] });
    expect(await engine.get(begun)).toMatchObject({ state: "failed", failure: { code: "interrupted" } });
    expect([agent.isAlive(), memberProcess.isAlive()]).toEqual([true, true]);
    expect(await readHallAddress(copy)).toMatchObject({ pid: process.pid });
    expect(await readHallAddress(home)).toMatchObject({ address: "http://127.0.0.1:1234" });
    await engine.close();
    await release();
  });

  it("is still known as one where it could not be opened, because the disk was full", async () => {
    const { home, agent } = await workingHome();
    const copy = join(home, "../copy");
    await cp(home, copy, { recursive: true });

    const failure = await failureOf(openHome(copy, { ...opening, disk: createSmallDisk(0) }));
    const { layout, release } = await openHome(copy, opening);

    expect(failure.code).toBe("disk_full");
    expect(await endOrphans(createChildRecords(layout.agentStates, onProblem), createProcessFamilies())).toBe(0);
    expect(agent.isAlive()).toBe(true);
    await release();
  });

  it("is not taken for one where the home was only moved: what its hall left is ended", async () => {
    const { home, hall, agent } = await workingHome();
    await hall.kill();
    const moved = join(home, "../moved");
    await rename(home, moved);

    const { layout, release } = await openHome(moved, opening);

    expect(await endOrphans(createChildRecords(layout.agentStates, onProblem), createProcessFamilies())).toBe(1);
    await expect.poll(agent.isAlive).toBe(false);
    await release();
  });

  it("of an earlier version, which did not say in which folder it ran, is refused while that hall runs", async () => {
    const { home, hall } = await workingHome();
    const copy = join(home, "../copy");
    await cp(home, copy, { recursive: true });
    const record = join(copy, "state/hall.json");
    const { folder, ...earlier } = JSON.parse(await readFile(record, "utf8")) as Record<string, unknown>; // a document of the hall
    await writeFile(record, JSON.stringify(earlier));

    expect(folder).toMatch(/^\d+:\d+$/);
    expect((await failureOf(openHome(copy, opening))).message).toContain(`process ${hall.pid},`);
  });
});
