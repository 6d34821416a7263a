import { describe, expect, it } from "vitest";
import { childCall, createRunsStage, writeCall } from "./runs-stage.testing.ts";
import type { RunsStage } from "./runs-stage.testing.ts";

async function openStage(options: Parameters<typeof createRunsStage>[1] = {}): Promise<RunsStage> {
  const stage = createRunsStage(1, options);
  await stage.world.settle();
  return stage;
}

const limited = (stage: RunsStage) => () =>
  ({
    end: {
      outcome: "failed",
      code: "model_rate_limited",
      message: "Limit.",
      resetsAt: new Date(stage.world.clock() + 60_000).toISOString(),
    },
  }) as const;

const complete = () => ({ end: { outcome: "completed", text: "Done." } }) as const;
const write = () => ({ call: [writeCall("note.txt")] });

/** A run whose call waits for a person. */
async function startWaiting(stage: RunsStage): Promise<void> {
  const before = stage.pending().length;
  stage.start("desk");
  await stage.world.settle();
  for (let tries = 0; stage.pending().length === before && tries < 5; tries += 1) {
    stage.model(0, write);
    await stage.world.settle();
  }
}

describe("the cost of a job", () => {
  it("is in the ledger as soon as it has parked, and when it is stopped then", async () => {
    const stage = await openStage();
    await startWaiting(stage);

    stage.world.passTime();
    await stage.world.settle();
    const parked = [...stage.disk.ledger.costs.values()].map(({ costUsd }) => costUsd);
    const processes = stage.hall().runner.processes().length;

    expect({ parked, processes }).toEqual({ parked: [0.25], processes: 0 });
  });

  it("is in the ledger of a job that is stopped after a crash ended its process", async () => {
    const stage = await openStage();
    await startWaiting(stage);

    stage.crash();
    await stage.world.settle();
    stage.ask(stage.hall().runs.stopAll());
    await stage.world.settle();

    expect([...stage.disk.ledger.costs.values()].map(({ costUsd }) => costUsd)).toEqual([0.25]);
  });

  it("is in the ledger if the disk was full when its process was stopped, at whatever moment", async () => {
    for (let at = 0; at < 10 * 24; at += 1) {
      const stage = createRunsStage(Math.floor(at / 10));
      await stage.world.settle();
      stage.start("desk");
      await stage.world.settle();
      stage.ask(stage.hall().runs.stopAll());
      await stage.world.go(1);

      stage.model(0, write);
      await stage.world.go(at % 10);
      stage.world.setFull(true);
      await stage.world.settle();
      stage.world.setFull(false);
      do await stage.world.settle();
      while (stage.world.isRestless() && stage.world.passTime());
      stage.ask(stage.hall().runs.stopAll());
      await stage.world.settle();

      const [events = []] = stage.disk.runs.events.values();
      const used = events.some(({ event }) => event.type === "usage") ? [0.25] : [];
      expect({ at, costs: [...stage.disk.ledger.costs.values()].map(({ costUsd }) => costUsd) }).toEqual({ at, costs: used });
    }
  });
});

it("says that a run is queued while it waits for a place for its next process", async () => {
  const stage = await openStage({ processes: 1 });
  stage.start("desk");
  await stage.world.settle();
  stage.start("desk");
  await stage.world.settle();

  stage.model(0, () => ({ end: { outcome: "failed", code: "session_expired", message: "The conversation is lost." } }));
  await stage.world.settle();

  expect(stage.all().map(({ state }) => state)).toEqual(["queued", "running"]);
});

describe("a run that waits for the usage limit", () => {
  it.each(Array.from({ length: 12 }, (_, steps) => steps))(
    "goes on at the reset if the disk was full after %i steps of the pause",
    async (steps) => {
      const stage = await openStage();
      stage.start("desk");
      await stage.world.settle();

      stage.model(0, limited(stage));
      await stage.world.go(steps);
      stage.world.setFull(true);
      await stage.world.settle();
      stage.world.setFull(false);
      while (stage.hall().runner.processes().length === 0 && stage.world.passTime()) await stage.world.settle();

      expect(stage.all().map(({ state }) => state)).toEqual(["running"]);
    },
  );

  it("goes on if the disk was full when the limit was reset", async () => {
    const stage = await openStage();
    stage.start("desk");
    await stage.world.settle();
    stage.model(0, limited(stage));
    await stage.world.settle();

    stage.world.setFull(true);
    for (const end = stage.world.clock() + 120_000; stage.world.clock() < end && stage.world.passTime();) await stage.world.settle();
    stage.world.setFull(false);
    while (stage.hall().runner.processes().length === 0 && stage.world.passTime()) await stage.world.settle();

    expect(stage.all().map(({ state }) => state)).toEqual(["running"]);
  });
});

describe("runs that wait", () => {
  it("block nobody: with two slots and eight runs that wait for a person, the ninth goes on", async () => {
    const stage = await openStage({ atOnce: 2, processes: 24 });
    for (let count = 0; count < 8; count += 1) await startWaiting(stage);
    expect(stage.pending()).toHaveLength(8);
    expect(stage.hall().slots.load()).toEqual({ held: 0, waiting: 0 });

    stage.start("desk");
    await stage.world.settle();
    stage.model(0, complete);
    await stage.world.settle();

    expect(stage.all().map(({ state }) => state)).toEqual([...Array.from({ length: 8 }, () => "waiting"), "completed"]);
  });

  it("need no process, slot or place while they are parked, and all go on: 200 of them", async () => {
    const stage = await openStage({ atOnce: 2, processes: 24 });
    for (let count = 0; count < 200; count += 1) await startWaiting(stage);
    while (stage.hall().runner.processes().length > 0 && stage.world.passTime()) await stage.world.settle();

    expect(stage.hall().runner.processes()).toEqual([]);
    expect(stage.hall().slots.load()).toEqual({ held: 0, waiting: 0 });
    expect(stage.all().filter(({ state, waitingFor }) => state === "waiting" && waitingFor?.kind === "person")).toHaveLength(200);

    while (stage.decide(0, true)) await stage.world.settle();
    while (stage.model(0, complete)) await stage.world.settle();

    expect(stage.all().filter(({ state }) => state === "completed")).toHaveLength(200);
    expect(stage.disk.runs.written.size).toBe(200);
  });
});

/** A run that has called two others, and both ask a person; nothing has a process any more. */
async function parkedTree(stage: RunsStage): Promise<void> {
  stage.start("desk");
  await stage.world.settle();
  stage.model(0, () => ({ call: [childCall, childCall] }));
  await stage.world.settle();
  for (let child = 0; child < 2; child += 1) {
    stage.model(0, () => ({ call: [writeCall(`${child}.txt`)] }));
    await stage.world.settle();
  }
  while (stage.hall().runner.processes().length > 0 && stage.world.passTime()) await stage.world.settle();
}

describe("a run that waits for two others, all without a process", () => {
  it("goes on when both are settled, and not before", async () => {
    const stage = await openStage();
    await parkedTree(stage);

    stage.decide(0, true);
    await stage.world.settle();
    stage.model(0, complete);
    await stage.world.settle();
    const afterOne = stage.all().map(({ state }) => state);
    stage.decide(0, true);
    await stage.world.settle();
    while (stage.model(0, complete)) await stage.world.settle();

    expect(afterOne[0]).toBe("waiting");
    expect(afterOne.toSorted()).toEqual(["completed", "waiting", "waiting"]);
    expect(stage.all().map(({ state }) => state)).toEqual(["completed", "completed", "completed"]);
    expect(stage.all()[0]?.prompts.at(-1)?.text).toMatch(/worker_call clerk.*worker_call clerk/s);
    expect(stage.disk.runs.written.size).toBe(2);
  });

  it("asks nothing any more once it is stopped, and nothing of it runs", async () => {
    const stage = await openStage();
    await parkedTree(stage);

    stage.ask(stage.hall().runs.stopAll());
    await stage.world.settle();

    expect(stage.all().map(({ state }) => state)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect([...stage.disk.approvals.values()].map(({ state }) => state)).toEqual(["void", "void"]);
    expect(stage.disk.runs.written.size).toBe(0);
  });
});

it("ends what a stopped run has started, also if the disk was full at that moment", async () => {
  for (let at = 0; at < 8 * 24; at += 1) {
    const stage = createRunsStage(Math.floor(at / 8));
    await stage.world.settle();
    await parkedTree(stage);

    const [root] = stage.all();
    stage.ask(root === undefined ? Promise.reject(new Error("There is no run.")) : stage.hall().runs.stop(root.id));
    await stage.world.go(at % 8);
    stage.world.setFull(true);
    await stage.world.settle();
    stage.world.setFull(false);
    do await stage.world.settle();
    while (stage.world.isRestless() && stage.world.passTime());

    // A stop that the disk refused changes nothing.
    const open = stage.open().map(({ id }) => id);
    const isRefused = root !== undefined && open.includes(root.id);
    expect({ at, open: isRefused ? [] : open }).toEqual({ at, open: [] });
  }
});

it("gives the only place for a process to the next run while the one that has it waits for a person", async () => {
  const stage = await openStage({ processes: 1 });
  await startWaiting(stage);

  stage.start("desk");
  await stage.world.settle();
  stage.model(0, complete);
  await stage.world.settle();
  const second = stage.all()[1]?.state;
  stage.decide(0, true);
  await stage.world.settle();
  stage.model(0, complete);
  await stage.world.settle();

  expect(second).toBe("completed");
  expect(stage.all()[0]).toMatchObject({ state: "completed", attempt: 2 });
});

describe("a hall that closes", () => {
  it("leaves the records of runs that wait for a slot as they are, and they go on in the next life", async () => {
    const stage = await openStage({ atOnce: 1 });
    stage.start("desk");
    stage.start("desk");
    await stage.world.settle();

    await stage.close();
    await stage.world.settle();
    const states = stage.all().map(({ state, ending }) => ({ isOpen: state !== "failed", ending }));
    for (let tries = 0; tries < 10 && stage.open().length > 0; tries += 1) {
      stage.model(0, complete);
      await stage.world.settle();
    }

    expect(states).toEqual([1, 2].map(() => ({ isOpen: true, ending: null })));
    expect(stage.all().map(({ state }) => state)).toEqual(["completed", "completed"]);
  });
});

describe("stop everything", () => {
  it("ends every process and keeps each from starting again, though the disk is full", async () => {
    const stage = await openStage({ atOnce: 3, processes: 3 });
    for (let count = 0; count < 3; count += 1) stage.start("desk");
    await stage.world.settle();
    expect(stage.hall().runner.processes()).toHaveLength(3);

    stage.world.setFull(true);
    stage.ask(stage.hall().runs.stopAll());
    await stage.world.settle();
    expect(stage.hall().runner.processes()).toHaveLength(0);
    stage.world.setFull(false);
    for (let tries = 0; tries < 10 && stage.world.passTime(); tries += 1) await stage.world.settle();

    expect(stage.hall().runner.processes()).toHaveLength(0);
    expect(stage.all().map(({ state }) => state)).toEqual(["cancelled", "cancelled", "cancelled"]);
  });
});

describe("paused new runs", () => {
  it("are those that have not started: a child and an approved run go on", async () => {
    const stage = await openStage({ atOnce: 4, processes: 4 });
    stage.start("desk");
    await stage.world.settle();
    stage.hall().slots.pause();

    stage.start("desk");
    stage.model(0, () => ({ call: [childCall] }));
    await stage.world.settle();

    expect(stage.hall().runner.processes()).toHaveLength(2);
    expect(stage.all().filter(({ state }) => state === "queued")).toHaveLength(1);
    expect(stage.hall().slots.load().waiting).toBe(1);
  });
});

describe("a reset of the model's usage limit", () => {
  it("does not end another pause, after a person tried before", async () => {
    const stage = await openStage();
    stage.start("desk");
    await stage.world.settle();
    stage.model(0, limited(stage));
    await stage.world.settle();
    const [id] = stage.accepted;
    if (id === undefined) throw new Error("Nothing was accepted.");

    stage.ask(stage.hall().runs.resume(id));
    await stage.world.settle();
    stage.model(0, () => ({ end: { outcome: "failed", code: "max_turns", message: "Limit." } }));
    await stage.world.settle();
    for (let tries = 0; tries < 20 && stage.world.passTime(); tries += 1) await stage.world.settle();

    expect(stage.all()).toMatchObject([{ state: "waiting", waitingFor: { kind: "budget", limit: "turns" }, resumes: 0 }]);
  });
});
