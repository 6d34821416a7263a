import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openJobStore } from "../../guild-members/researcher/job-store.ts";
import type { JobStore } from "../../guild-members/researcher/job-store.ts";
import type { OpenJob, RunJob } from "../../guild-members/researcher/job.ts";
import { createRunQueue } from "../../guild-members/researcher/run-queue.ts";
import type { RunQueue } from "../../guild-members/researcher/run-queue.ts";
import { readSettings } from "../../guild-members/researcher/settings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Staged = {
  store: JobStore;
  queue: RunQueue;
  /** Ids of jobs at work, in the order they began. */
  atWork: Map<string, { job: OpenJob; end: (error?: Error) => void }>;
  dispatch(description: string): Promise<string>;
  statuses(): string[];
};

/** A queue whose agents do nothing but wait for the test. */
async function setQueue(concurrency: number, startsAtOnce = 16): Promise<Staged> {
  const store = await openJobStore(await temporaryFolder(), readSettings({}).job);
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
