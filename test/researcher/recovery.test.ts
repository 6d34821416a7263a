import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobMeta, ProcessIdentity } from "../../guild-members/researcher/job.ts";
import { openJob } from "../../guild-members/researcher/open-job.ts";
import { identify, identifyAgent } from "../../guild-members/researcher/process-identity.ts";
import { recoverJobs } from "../../guild-members/researcher/recovery.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const defaults = readSettings({}).job;
const dead: ProcessIdentity = { pid: 2 ** 22 + 1, started: "long ago" };

/** Jobs as a process left them that was killed. */
async function setLeft(left: Record<string, Partial<JobMeta>>): Promise<{ folder: string; store: JobStore; ids: Record<string, string> }> {
  const folder = await temporaryFolder();
  const before = await openJobStore(folder, defaults);
  const ids: Record<string, string> = {};
  for (const [name, meta] of Object.entries(left)) {
    const id = await before.create(name, "a task", {});
    await before.update(id, async () => meta);
    ids[name] = id;
  }
  return { folder, store: await openJobStore(folder, defaults), ids };
}

const metaOf = (store: JobStore, id: string | undefined): JobMeta | undefined => store.find(id ?? "")?.meta;

describe("what a killed member leaves", () => {
  it("is run again: what waited, what was at rest and what was at work, the oldest first", async () => {
    const { store, ids } = await setLeft({
      waited: {},
      rested: { attempt: 1 },
      worked: { attempt: 1, runner: dead, agent: dead },
      over: { status: "completed" },
    });

    const toRun = await recoverJobs(store);

    expect(toRun).toEqual([ids["waited"], ids["rested"], ids["worked"]]);
    expect(metaOf(store, ids["rested"])).toMatchObject({ interruptions: 0 });
    expect(metaOf(store, ids["worked"])).toMatchObject({ status: "running", interruptions: 1, runner: null, agent: null });
  });

  it("is cleared of half files, also where no agent had begun", async () => {
    const { folder, store, ids } = await setLeft({ waited: {} });
    await writeFile(join(folder, ids["waited"] ?? "", ".meta.json.1234.tmp"), "half");

    await recoverJobs(store);

    expect((await readdir(join(folder, ids["waited"] ?? ""))).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("is given up with words once the member died under it as often as it may, and not for having been stopped (REQ-WD-47)", async () => {
    const { store, ids } = await setLeft({
      killed: { attempt: 3, interruptions: 2, runner: dead },
      stopped: { attempt: 30, interruptions: 2 },
    });

    expect(await recoverJobs(store)).toEqual([ids["stopped"]]);
    expect(metaOf(store, ids["killed"])).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^Interrupted: the worker died 3 times/) as string,
    });
  });

  it("is given up sooner where its config says so (REQ-WD-47)", async () => {
    const folder = await temporaryFolder();
    const before = await openJobStore(folder, defaults);
    const id = await before.create("once", "a task", { maxAttempts: 1 });
    await before.update(id, async () => ({ attempt: 1, runner: dead }));
    const store = await openJobStore(folder, defaults);

    expect(await recoverJobs(store)).toEqual([]);
    expect(metaOf(store, id)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^Interrupted: the worker died 1 time /) as string,
    });
  });

  it("is completed where its result was written, with all that was asked until then", async () => {
    const { folder, store: before, ids } = await setLeft({ submitted: { attempt: 3, interruptions: 2, runner: dead } });
    const job = await openJob(before, ids["submitted"] ?? "", () => undefined);
    await job.addQuestion("Which coast?");
    await job.submitResult("Done.");
    await before.update(job.id, async () => ({ openQuestions: 0 }));
    await writeFile(join(job.folder, ".meta.json.1234.tmp"), "half");

    const store = await openJobStore(folder, defaults);

    expect(await recoverJobs(store)).toEqual([]);
    expect(metaOf(store, job.id)).toMatchObject({ status: "completed", error: null, openQuestions: 1, runner: null });
    expect((await readdir(job.folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("does not run on: an agent that outlived its member is ended, and whoever has its number now is not", async () => {
    const [orphan, stranger] = [sleeper(), sleeper()];
    const { store, ids } = await setLeft({
      orphaned: { attempt: 1, runner: dead, agent: identify(orphan.pid) },
      cancelled: { status: "cancelled", attempt: 1, runner: dead, agent: { pid: stranger.pid, started: "another time" } },
    });
    const orphanEnds = once(orphan.child, "exit");

    await recoverJobs(store);

    expect(await orphanEnds).toEqual([null, "SIGKILL"]);
    expect(identify(stranger.pid)).not.toBeNull();
    expect(metaOf(store, ids["cancelled"])).toMatchObject({ status: "cancelled", agent: null, runner: null });
  });

  it("is not ended where it works for the original of a job that was copied, and is where it works for this one", async () => {
    const agent = sleeper();
    const { folder, store, ids } = await setLeft({ copied: { attempt: 1, runner: dead } });
    const [id = ""] = Object.values(ids);
    await store.update(id, async () => ({ agent: identifyAgent(agent.pid, store.files.folder(id)) }));
    const copy = join(await temporaryFolder(), "jobs");
    await cp(folder, copy, { recursive: true });

    const toRun = await recoverJobs(await openJobStore(copy, defaults));

    expect(toRun).toEqual([id]);
    expect(identify(agent.pid)).not.toBeNull();
    await recoverJobs(await openJobStore(folder, defaults));
    await expect.poll(() => identify(agent.pid)).toBeNull();
  });

  it("costs only the one job whose files somebody broke", async () => {
    const { folder, store, ids } = await setLeft({ broken: { attempt: 1, runner: dead }, whole: {} });
    await writeFile(join(folder, ids["broken"] ?? "", "config.json"), "{");

    expect(await recoverJobs(store)).toEqual([ids["whole"]]);
    expect(metaOf(store, ids["broken"])).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^Interrupted, .*config\.json of this job cannot be read any more/) as string,
    });
  });
});

describe("a full disk", () => {
  it("costs only the job that cannot be written, and no start", async () => {
    const { folder, store, ids } = await setLeft({ unwritable: { attempt: 1, runner: dead }, whole: {} });
    const record = join(folder, ids["unwritable"] ?? "", "meta.json");
    await rm(record);
    await mkdir(record);

    expect(await recoverJobs(store)).toEqual([ids["whole"]]);
    expect(metaOf(store, ids["unwritable"])).toMatchObject({ status: "failed", error: expect.stringMatching(/^Interrupted, /) as string });
  });
});

/** A process that would stay for long. */
function sleeper(): { child: ReturnType<typeof spawn>; pid: number } {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => undefined, 600_000)"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.pid === undefined) throw new Error("The process did not start.");
  return { child, pid: child.pid };
}
