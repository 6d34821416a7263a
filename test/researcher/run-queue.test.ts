import { existsSync } from "node:fs";
import { mkdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobStore } from "../../guild-members/researcher/job-store.ts";
import type { OpenJob, RunJob } from "../../guild-members/researcher/job.ts";
import { createRunQueue } from "../../guild-members/researcher/run-queue.ts";
import type { RunQueue } from "../../guild-members/researcher/run-queue.ts";
import { recoverJobs } from "../../guild-members/researcher/recovery.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { readEvents } from "../../guild-members/researcher/timeline.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Staged = {
  store: JobStore;
  queue: RunQueue;
  /** Ids of jobs at work, in the order they began. */
  atWork: Map<string, { job: OpenJob; end: (error?: Error) => void }>;
  dispatch(description: string): Promise<string>;
  statuses(): string[];
};

/** One that tries soon again to write what could not be written. */
const openStore = async (folder?: string): Promise<JobStore> =>
  openJobStore(folder ?? (await temporaryFolder()), readSettings({}).job, undefined, 10);

/** As long as a folder is in its place, the record of the job cannot be written. */
const recordOf = (store: JobStore, id: string): string => join(store.files.folder(id), "meta.json");
async function breakRecord(store: JobStore, id: string): Promise<void> {
  await rm(recordOf(store, id));
  await mkdir(recordOf(store, id));
}
const mendRecord = (store: JobStore, id: string): Promise<void> => rmdir(recordOf(store, id));
const recordedStatus = async (store: JobStore, id: string): Promise<unknown> =>
  (JSON.parse(await readFile(recordOf(store, id), "utf8").catch(() => "{}")) as { status?: unknown }).status;

/** A queue whose agents do nothing but wait for the test. */
async function setQueue(concurrency: number, startsAtOnce = 16): Promise<Staged> {
  const store = await openStore();
  const atWork: Staged["atWork"] = new Map();
  const runJob: RunJob = (job, signal) =>
    new Promise<void>((resolve, reject) => {
      const end = (error?: Error): void => {
        atWork.delete(job.id);
        if (error === undefined) resolve(job.submitResult(`Of ${job.id}`));
        else reject(error);
      };
      atWork.set(job.id, { job, end });
      signal.addEventListener("abort", () => end(new Error("stopped")), { once: true });
    });
  const queue = createRunQueue({ store, runJob, concurrency, startsAtOnce });
  const dispatch = async (description: string): Promise<string> => {
    const id = await store.create(description, "a task", {});
    queue.add(id);
    return id;
  };
  return { store, queue, atWork, dispatch, statuses: () => store.list().map(({ meta }) => meta.status) };
}

describe("the queue of jobs", () => {
  it("runs so many at once, the others in the order they came, and says of each how many are before it", async () => {
    const { store, queue, atWork, dispatch } = await setQueue(2);
    const ids = [await dispatch("a"), await dispatch("b"), await dispatch("c"), await dispatch("d")];
    await expect.poll(() => [...atWork.keys()]).toEqual(ids.slice(0, 2));

    expect([...queue.waiting()]).toEqual([
      [ids[2], "Waiting for its turn: 2 at work, 0 waiting before it."],
      [ids[3], "Waiting for its turn: 2 at work, 1 waiting before it."],
    ]);
    atWork.get(ids[1] ?? "")?.end();
    await expect.poll(() => [...atWork.keys()]).toEqual([ids[0], ids[2]]);

    expect(store.find(ids[1] ?? "")?.meta).toMatchObject({ status: "completed", attempt: 1, runner: null });
    expect(store.find(ids[2] ?? "")?.meta).toMatchObject({ status: "running", attempt: 1, runner: { pid: process.pid } });
    expect(store.find(ids[3] ?? "")?.meta).toMatchObject({ status: "running", attempt: 0, runner: null });
    await queue.stop();
  });

  it("ends a job as its agent ends: with a result, with words, or without either (REQ-WD-44)", async () => {
    const store = await openJobStore(await temporaryFolder(), readSettings({}).job);
    const runJob: RunJob = async (job) => {
      if (job.task.includes("submit")) await job.submitResult("Done.");
      if (job.task.includes("throw")) throw new Error("The model is away.");
    };
    const queue = createRunQueue({ store, runJob, concurrency: 4, startsAtOnce: 4 });

    const ends = ["submit", "throw", "submit and throw", "nothing"].map(async (task) => {
      const id = await store.create(task, task, {});
      queue.add(id);
      await queue.settled(id);
      return store.find(id)?.meta;
    });

    expect(await Promise.all(ends)).toMatchObject([
      { status: "completed", error: null },
      { status: "failed", error: "The model is away." },
      { status: "completed", error: null },
      { status: "failed", error: "The agent came to its end without a result." },
    ]);
  });

  it("cancels a job that waits and one that runs, and nothing of them runs afterwards (REQ-WD-16)", async () => {
    const { store, queue, atWork, dispatch } = await setQueue(1);
    const [first, second] = [await dispatch("runs"), await dispatch("waits")];
    await expect.poll(() => [...atWork.keys()]).toEqual([first]);

    await queue.cancel(second);
    expect(store.find(second)?.meta).toMatchObject({ status: "cancelled", attempt: 0 });
    await queue.cancel(first);

    expect(store.find(first)?.meta).toMatchObject({ status: "cancelled", runner: null, error: null });
    expect(atWork.size).toBe(0);
    const third = await dispatch("after");
    await expect.poll(() => [...atWork.keys()]).toEqual([third]);
    await queue.stop();
  });

  it("stops without ending its jobs: they stay as they are, at rest, to be resumed", async () => {
    const { store, queue, atWork, dispatch, statuses } = await setQueue(1);
    const running = await dispatch("runs");
    await dispatch("waits");
    await expect.poll(() => atWork.size).toBe(1);

    await queue.stop();

    expect(statuses()).toEqual(["running", "running"]);
    expect(atWork.size).toBe(0);
    expect(store.find(running)?.meta).toMatchObject({ attempt: 1, interruptions: 0, runner: null });
  });

  it("says of a job whose record cannot be written that it failed, and why", async () => {
    const store = await openJobStore(await temporaryFolder(), readSettings({}).job);
    const runJob: RunJob = async (job) => rm(job.folder, { recursive: true });
    const queue = createRunQueue({ store, runJob, concurrency: 1, startsAtOnce: 1 });
    const id = await store.create("A job", "a task", {});

    queue.add(id);
    await queue.settled(id);

    expect(store.find(id)?.meta).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/could not be written: ENOENT/) as string,
    });
  });

  it("stops a job that is cancelled also where that cannot be written, and keeps one that waits in its place (REQ-WD-16)", async () => {
    const { store, queue, atWork, dispatch } = await setQueue(1);
    const [running, waits] = [await dispatch("runs"), await dispatch("waits")];
    await expect.poll(() => [...atWork.keys()]).toEqual([running]);
    await breakRecord(store, running);
    await breakRecord(store, waits);

    await expect(queue.cancel(waits)).rejects.toThrow("EISDIR");
    expect([...queue.waiting().keys()]).toEqual([waits]);
    await mendRecord(store, waits);
    await queue.cancel(waits);
    expect(store.find(waits)?.meta.status).toBe("cancelled");
    await queue.cancel(running);

    expect(atWork.size).toBe(0);
    expect(store.find(running)?.meta).toMatchObject({
      status: "cancelled",
      error: expect.stringContaining("could not be written") as string,
    });
    await mendRecord(store, running);
    await expect.poll(() => recordedStatus(store, running)).toBe("cancelled");
  });

  it("gives out a result that was handed in though the record could not be written, and writes it as soon as it can (REQ-WD-15)", async () => {
    const store = await openStore();
    const queue = createRunQueue({
      store,
      runJob: async (job) => {
        if (job.task === "submits") await job.submitResult("Done.");
        await breakRecord(store, job.id);
      },
      concurrency: 2,
      startsAtOnce: 2,
    });
    const [submitted, failed] = [await store.create("A job", "submits", {}), await store.create("A job", "gives up", {})];

    for (const id of [submitted, failed]) queue.add(id);
    for (const id of [submitted, failed]) await queue.settled(id);

    expect(store.find(submitted)?.meta).toMatchObject({ status: "completed", error: null, runner: null });
    expect(store.find(failed)?.meta).toMatchObject({ status: "failed", error: expect.stringContaining("could not be written") as string });
    for (const id of [submitted, failed]) await mendRecord(store, id);
    await expect.poll(() => Promise.all([submitted, failed].map((id) => recordedStatus(store, id)))).toEqual(["completed", "failed"]);
    // Nothing of it is run, and paid for, again.
    expect(await recoverJobs(await openStore(join(store.files.folder(failed), "..")))).toEqual([]);
  });

  it("tells the end of a job last, also when its agent still had something to say as it was cancelled", async () => {
    const store = await openStore();
    const begun = Promise.withResolvers<void>();
    const runJob: RunJob = async (job, signal) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await job.addEvent({ type: "text", text: "Wait." });
    };
    const queue = createRunQueue({ store, runJob, concurrency: 1, startsAtOnce: 1 });
    const id = await store.create("A job", "a task", {});
    queue.add(id);
    await begun.promise;

    await queue.cancel(id);
    await store.addEvent(id, { type: "text", text: "Too late." });

    const { events } = await readEvents(store.files.timeline(id), 0);
    expect(events.slice(-2)).toMatchObject([
      { type: "text", text: "Wait." },
      { type: "status", status: "cancelled" },
    ]);
  });

  it("keeps the SDK's files of a job that failed, and of no other that is over", async () => {
    const { store, queue, atWork, dispatch } = await setQueue(3);
    const ids = [await dispatch("completes"), await dispatch("fails"), await dispatch("is cancelled")];
    await expect.poll(() => atWork.size).toBe(3);
    const folders = ids.map((id) => store.files.sdkFolder(id));
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, true, true]);

    atWork.get(ids[0] ?? "")?.end();
    atWork.get(ids[1] ?? "")?.end(new Error("No."));
    await queue.cancel(ids[2] ?? "");
    for (const id of ids) await queue.settled(id);

    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, false]);
  });

  it("says of a job that may not start yet that it waits", async () => {
    const { queue, atWork, dispatch } = await setQueue(2, 1);
    const ids = [await dispatch("starts"), await dispatch("waits for its start"), await dispatch("waits")];
    await expect.poll(() => [...atWork.keys()]).toEqual([ids[0]]);

    expect([...queue.waiting()]).toEqual([
      [ids[1], "Waiting for its turn: 1 at work, 0 waiting before it."],
      [ids[2], "Waiting for its turn: 1 at work, 1 waiting before it."],
    ]);
    await queue.stop();
  });

  it("lets a job go that is cancelled while it waits for its start", async () => {
    const { store, queue, atWork, dispatch } = await setQueue(8, 1);
    const [first, second, third] = [await dispatch("starts"), await dispatch("waits"), await dispatch("waits too")];
    await expect.poll(() => [...atWork.keys()]).toEqual([first]);

    await queue.cancel(second);
    expect(store.find(second)?.meta).toMatchObject({ status: "cancelled", attempt: 0 });
    atWork.get(first)?.job.onStarted();

    await expect.poll(() => [...atWork.keys()]).toEqual([first, third]);
    await queue.stop();
  });

  it("begins only so many at once, and the next when one has begun or is over", async () => {
    const { queue, atWork, dispatch } = await setQueue(8, 1);
    const ids = [await dispatch("a"), await dispatch("b"), await dispatch("c")];
    await expect.poll(() => [...atWork.keys()]).toEqual(ids.slice(0, 1));

    atWork.get(ids[0] ?? "")?.job.onStarted();
    atWork.get(ids[0] ?? "")?.job.onStarted();
    await expect.poll(() => [...atWork.keys()]).toEqual(ids.slice(0, 2));
    atWork.get(ids[1] ?? "")?.end();

    await expect.poll(() => [...atWork.keys()]).toEqual([ids[0], ids[2]]);
    await queue.stop();
  });
});
