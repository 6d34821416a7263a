import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunUsage } from "../schema/run.ts";
import { agentsOf, parts, setDelegationStage } from "./delegation-stage.testing.ts";
import type { DelegationStage } from "./delegation-stage.testing.ts";

const gatedSandbox = "sandboxes: { out: { path: out, mode: rw } }\ntool_rules: { sandbox.write: { approval_required: true } }\n";
const parkAtOnce = { parkAfterMinutes: 0 };
const wrote = "Wrote out/note.txt (6 characters).";

/** The run of desk, when its child waits for a person and neither has a process. */
async function parked(stage: DelegationStage): Promise<string> {
  const id = await stage.run("desk");
  await stage.approval();
  await stage.until(id, "waiting");
  await stage.untilNoAgent();
  return id;
}

describe("a write that waits for a person, in a run that another run waits for", () => {
  it("happens once it is approved, and what came of it goes up to the caller", async () => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() });

    const id = await stage.run("desk");
    const approval = await stage.approval();
    expect(await stage.note()).toBeNull();
    await stage.approve(approval);
    const run = await stage.ended(id);

    expect(await stage.note()).toBe("Hello.");
    expect(run).toMatchObject({ state: "completed", attempt: 1 });
    expect(run.output).toContain(`Clerk heard: ${wrote}`);
    expect(approval.chain.map(({ worker }) => worker)).toEqual(["desk", "clerk"]);
  });

  it("needs no process while it waits for long", async () => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() }, { runs: parkAtOnce });

    const id = await parked(stage);
    expect(await agentsOf(stage.home)).toEqual([]);
    expect(await stage.detail(id)).toMatchObject({ state: "waiting", waitingFor: { kind: "child" } });
    await stage.approve(await stage.approval());
    const run = await stage.ended(id);

    expect(await stage.note()).toBe("Hello.");
    expect(run).toMatchObject({ state: "completed", attempt: 2 });
    expect(run.output).toContain(wrote);
  });

  it("outlives the hall, and is decided in another life of it", async () => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() });

    const id = await stage.run("desk");
    const approval = await stage.approval();
    await stage.restart();
    await stage.until(id, "waiting");
    expect(await agentsOf(stage.home)).toEqual([]);
    await stage.approve(approval);
    const run = await stage.ended(id);

    expect(await stage.note()).toBe("Hello.");
    expect(run.output).toContain(wrote);
    expect(await stage.approvals()).toHaveLength(1);
  });

  it("goes on with the definition it began with, whatever the file says by then", async () => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() }, { runs: parkAtOnce });

    const id = await parked(stage);
    await writeFile(join(stage.home, "workers/clerk.yaml"), "name: clerk\ninstructions: You are the worker somebody.\n");
    await stage.restart();
    await stage.approve(await stage.approval());
    const run = await stage.ended(id);

    expect(await stage.note()).toBe("Hello.");
    expect(run.output).toContain("Clerk heard");
  });

  it.each([
    ["while its process waits", {}],
    ["after its process ended", parkAtOnce],
  ])("runs with the arguments that the person wrote, %s, and the worker is told", async (_when, runs) => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() }, { runs });

    const id = runs === parkAtOnce ? await parked(stage) : await stage.run("desk");
    const approval = await stage.approval();
    await expect(stage.approve(approval, { path: "elsewhere/note.txt", content: "Bad." })).rejects.toThrow("Writable: out/.");
    await stage.approve(approval, { path: "out/note.txt", content: "Better." });
    const run = await stage.ended(id);

    expect(await stage.note()).toBe("Better.");
    expect(run.output).toContain("A person changed the arguments");
  });

  it.each([
    ["while its process waits", {}],
    ["after its process ended", parkAtOnce],
  ])("does not happen if the person rejects it %s, and the worker is told why", async (_when, runs) => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() }, { runs });

    const id = runs === parkAtOnce ? await parked(stage) : await stage.run("desk");
    const approval = await stage.approval();
    await stage.hall().client.approvals.reject(approval.id, { note: "Not today." });
    const run = await stage.ended(id);

    expect(await stage.note()).toBeNull();
    expect(run.output).toContain("Rejected by a person: Not today.");
    await expect(stage.approve(approval)).rejects.toThrow("is rejected already");
  });

  it("fails in words where a link has taken its place since, and nothing is written through it", async () => {
    const stage = await setDelegationStage(
      { desk: parts.desk(["clerk"]), clerk: parts.writes("Evil.", "out/in/note.txt") },
      { runs: parkAtOnce },
    );

    const id = await parked(stage);
    await mkdir(join(stage.home, "elsewhere"));
    await mkdir(join(stage.home, "out"));
    await symlink(join(stage.home, "elsewhere"), join(stage.home, "out/in"));
    await stage.approve(await stage.approval());
    const run = await stage.ended(id);

    expect(run.output).toContain("leads over a link or a file, and cannot be written.");
    expect(await readdir(join(stage.home, "elsewhere"))).toEqual([]);
  });

  it("is not tried again behind the back of a worker that was told of its failure", async () => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writesTwice() });
    const outside = join(stage.home, "elsewhere");
    await mkdir(outside);
    await mkdir(join(stage.home, "out"));
    await symlink(outside, join(stage.home, "out/in"));

    const id = await stage.run("desk");
    await stage.approve(await stage.approval());
    const second = await stage.approval();
    await rm(join(stage.home, "out/in"));
    await mkdir(join(stage.home, "out/in"));
    await writeFile(join(stage.home, "out/in/note.txt"), "Newer.");
    await stage.restart();
    await stage.approve(second);
    await stage.ended(id);

    expect(await readFile(join(stage.home, "out/in/note.txt"), "utf8")).toBe("Newer.");
    expect(await stage.note()).toBe("Second.");
  });

  it("is asked for nobody if the caller was stopped while it began", async () => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() });

    const id = await stage.run("desk");
    await stage.model.waitForRequest(({ conversation }) => conversation.system.includes("worker desk"));
    await stage.hall().client.runs.stop(id);
    await stage.untilNoAgent();

    expect((await stage.childrenOf(id)).map(({ state }) => state).filter((state) => state !== "cancelled")).toEqual([]);
    expect((await stage.approvals()).filter(({ state }) => state === "pending")).toEqual([]);
  });

  it("is no longer a question if the caller is stopped while its process waits", async () => {
    const stage = await setDelegationStage({ desk: parts.desk(["clerk"]), clerk: parts.writes() });

    const id = await stage.run("desk");
    const approval = await stage.approval();
    await stage.hall().client.runs.stop(id);
    await stage.untilNoAgent();

    expect(await stage.detail(id)).toMatchObject({ state: "cancelled" });
    expect(await stage.detail(approval.run)).toMatchObject({ state: "cancelled" });
    expect(await stage.approvals()).toMatchObject([{ state: "void" }]);
    expect(await stage.note()).toBeNull();
  });
});

describe("two calls of one response", () => {
  it("run side by side: one waits for a person, the other ends, and then the caller needs no process", async () => {
    const play = { desk: parts.desk(["clerk", "clerk2"]), clerk: parts.writes(), clerk2: parts.says("Clerk2 is done.", 1500) };
    // With one slot the two would go one after the other, in any order.
    const stage = await setDelegationStage(play, { runs: { ...parkAtOnce, atOnce: 2 } });

    const id = await stage.run("desk");
    await stage.approval();
    await stage.model.waitForRequest(({ conversation }) => conversation.system.includes("worker clerk2"));
    // The caller, and the one that runs: the caller could not go on without the other's result.
    await expect.poll(async () => (await agentsOf(stage.home)).length).toBe(2);
    await stage.untilNoAgent();
    const children = await stage.childrenOf(id);
    expect(children.find(({ worker }) => worker === "clerk")?.state).toBe("waiting");
    expect(children.find(({ worker }) => worker === "clerk2")).toMatchObject({ state: "completed", output: "Clerk2 is done." });
    await stage.approve(await stage.approval());
    const run = await stage.ended(id);

    expect(run.state).toBe("completed");
    expect(run.output).toContain(wrote);
    expect(stage.conversationOf("desk")).toContain("Clerk2 is done.");
  });
});

describe("a built-in Write that waits for a person", () => {
  const workers = {
    desk: "name: desk\ninstructions: You are the worker desk.\nbuilt_in_tools: [Write]\ntool_rules: { Write: { approval_required: true } }\n",
  };

  it.each([
    ["while the process waits", {}],
    ["after the process ended", parkAtOnce],
  ])("writes what was approved, %s, though the model says something else the second time", async (_when, runs) => {
    const stage = await setDelegationStage({ desk: parts.writesBuiltIn(["Approved.", "Not approved."]) }, { runs, workers });

    const id = await stage.run("desk");
    const approval = await stage.approval();
    if (runs === parkAtOnce) await stage.untilNoAgent();
    await stage.approve(approval);
    const run = await stage.ended(id);

    expect(run.state).toBe("completed");
    expect(await stage.work(id, "a.txt")).toBe("Approved.");
    expect(await stage.approvals()).toHaveLength(1);
  });
});

describe("the limits of a run", () => {
  it.each([
    ["turns", "max_turns: 5", ({ turns }: RunUsage) => turns === 5, 6],
    ["run", "max_budget_usd: 0.011", ({ costUsd }: RunUsage) => costUsd > 0.011, 0.02],
  ])(
    "hold over all its processes: at that of %s it waits without one, and goes on when a person raises it",
    async (limit, given, isReached, to) => {
      const limited = `name: clerk\ninstructions: You are the worker clerk.\nlimits: { ${given} }\n${gatedSandbox}`;
      const stage = await setDelegationStage({ clerk: parts.keepsWriting() }, { runs: parkAtOnce, workers: { clerk: limited } });

      const id = await stage.run("clerk");
      const first = await stage.approveUntilLimit(id);
      await stage.untilNoAgent();
      await stage.restart();
      await stage.hall().client.runs.raise(id, to);
      const second = await stage.approveUntilLimit(id);
      await stage.hall().client.runs.finish(id);

      expect(first.waitingFor).toMatchObject({ kind: "budget", limit });
      expect(first.actions.filter(({ allowed }) => allowed).map(({ verb }) => verb)).toEqual(["stop", "raise", "finish"]);
      expect(isReached(first.usage)).toBe(true);
      expect(second.usage.turns).toBeGreaterThan(first.usage.turns);
      expect(await stage.detail(id)).toMatchObject({ state: "completed", ending: null });
    },
  );
});

describe("runs that wait for a person", () => {
  it("block nobody: with two slots, eight of them wait and the ninth goes on", async () => {
    const stage = await setDelegationStage({ clerk: parts.writes(), clerk2: parts.says("Quick.") }, { runs: { atOnce: 2, processes: 12 } });

    const waiting = await Promise.all(Array.from({ length: 8 }, () => stage.run("clerk")));
    await stage.approval(7);
    const ninth = await stage.ended(await stage.run("clerk2"));
    const details = await Promise.all(waiting.map(stage.detail));

    expect(ninth).toMatchObject({ state: "completed", output: "Quick." });
    expect(details.map(({ state, waitingFor }) => [state, waitingFor?.kind])).toEqual(waiting.map(() => ["waiting", "person"]));
  });
});
