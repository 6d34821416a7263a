import { describe, expect, it } from "vitest";
import { toolContext } from "../agent/tool-context.testing.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { ToolServer } from "../agent/agent-run.ts";
import { member, setRosterStage, tool } from "./roster-stage.testing.ts";

const worker = (name: string) => member(name, { capabilities: ["worker"], description: "Finds things out." });
const never = toolContext();
const ids = ["d2719ab3-0001-4000-8000-000000000001", "d2719ab3-0001-4000-8000-000000000002"];

describe("what an agent is offered of workers", () => {
  it("is a dispatch server for each that is connected, and no tool server for one without tools (REQ-WD-4, REQ-WD-36)", async () => {
    const { roster, start, livesOf } = setRosterStage([worker("researcher"), worker("both"), member("scribe"), worker("away")]);
    await start();
    livesOf("researcher")[0]?.connect();
    livesOf("both")[0]?.connect(tool("write"));
    livesOf("scribe")[0]?.connect(tool("write"));
    livesOf("away")[0]?.crash();

    const { servers, workers, note } = await roster.offersFor(["researcher", "both", "scribe", "away"]);

    expect(servers.map(({ name }) => name)).toEqual(["both", "scribe", "researcher-dispatch", "both-dispatch"]);
    expect(servers.at(-1)?.tools.map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ["dispatch", false],
      ["list", true],
      ["status", true],
      ["result", true],
      ["cancel", false],
      ["delete", false],
    ]);
    expect(servers.at(-1)?.tools[0]?.description).toContain("Finds things out.");
    expect(workers).toEqual([
      { name: "researcher", server: "researcher-dispatch" },
      { name: "both", server: "both-dispatch" },
    ]);
    expect(note).toContain("away");
  });

  it("keeps apart from a member whose own name is that of a dispatch server, also where that one takes jobs", async () => {
    const { roster, start, livesOf } = setRosterStage([worker("a"), worker("a-dispatch"), member("a-dispatch-dispatch")]);
    await start();
    for (const name of ["a", "a-dispatch", "a-dispatch-dispatch"]) livesOf(name)[0]?.connect(tool("write"));

    const { servers } = await roster.offersFor(["a", "a-dispatch", "a-dispatch-dispatch"]);

    const names = servers.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(["a", "a-dispatch", "a-dispatch-dispatch"]);
    expect(new Set(names).size).toBe(5);
  });

  it("passes calls on to the worker, newest jobs first, and fails in words where the worker refuses (REQ-WD-3)", async () => {
    const jobs = ids.map((jobId, count) => ({
      jobId,
      status: "running",
      description: `Job ${count}`,
      summary: null,
      startedAt: `2026-01-0${count + 1}`,
    }));
    const { roster, start, livesOf } = setRosterStage([worker("researcher")], {
      answerJobs(method, { filter }) {
        if (method === "worker/dispatch") return { jobId: ids[0] };
        if (method === "worker/list") return { jobs: filter === undefined ? jobs : jobs.slice(0, 1) };
        throw new HallError("bad_request", "There is no such job.");
      },
    });
    await start();
    livesOf("researcher")[0]?.connect();
    const { servers } = await roster.offersFor(["researcher"]);
    const call = (name: string, input: object) => callOf(servers, name)?.(input, never);

    const dispatched = await call("dispatch", { description: "Prices", task: "Find them." });
    const simple = await call("list", {});
    const found = await call("list", { detail: "detailed", filter: "*0" });

    expect(textIn(dispatched)).toEqual({ jobId: ids[0] });
    expect(textIn(simple)).toEqual({ jobs: ids.toReversed().map((jobId) => ({ jobId, status: "running" })) });
    expect(textIn(found)).toEqual({ jobs: [jobs[0]] });
    await expect(call("status", { jobId: ids[1] })).rejects.toThrow("There is no such job.");
    expect(livesOf("researcher")[0]?.asked[0]).toEqual({
      method: "worker/dispatch",
      params: { description: "Prices", task: "Find them." },
    });
  });
});

describe("an agent", () => {
  it("cannot raise what a job may cost, nor touch what its worker remembers or may reach: that is for a person (SEC-10)", async () => {
    const { roster, start, livesOf } = setRosterStage([worker("researcher")], { answerJobs: () => ({ jobId: ids[0] }) });
    await start();
    livesOf("researcher")[0]?.connect();
    const { servers } = await roster.offersFor(["researcher"]);
    const dispatch = (config: object) => callOf(servers, "dispatch")?.({ description: "Prices", task: "Find them.", config }, never);

    const limits = [{ maxBudgetUsd: 1000 }, { maxTurns: 1, depth: 2 }, { maxAttempts: 9 }, { model: "dear" }];
    const memory = [{ memoryCharacters: 0 }, { condenseAbove: 1000 }];
    const reach = [{ cwd: "/" }, { env: { A: "1" } }, { baseUrl: "http://there" }, { hooks: [] }, { systemPrompt: "" }];
    const rights = [{ allowedPaths: ["/"] }, { bypass: true }, { deep: { shell_command: "x" } }];
    for (const config of [...limits, ...memory, ...reach, ...rights, { deep: [{ MaxTurns: 9 }] }])
      await expect(dispatch(config)).rejects.toThrow(/cannot be set by you/);
    await dispatch({ depth: 2, role: "critic" });

    expect(livesOf("researcher")[0]?.asked.map(({ params }) => params)).toMatchObject([{ config: { depth: 2, role: "critic" } }]);
  });
});

describe("the workers of the Roster", () => {
  it("never have a member among them that only has tools: nothing is sent to it (REQ-WD-45)", async () => {
    const { roster, start, livesOf } = setRosterStage([member("scribe"), worker("researcher"), worker("starting")]);
    await start();
    livesOf("scribe")[0]?.connect(tool("write"));
    livesOf("researcher")[0]?.connect();

    expect(roster.workers.list()).toEqual([
      { name: "researcher", missing: null },
      { name: "starting", missing: expect.stringContaining("it is starting") as string },
    ]);
    expect(() => roster.workers.get("scribe")).toThrow(expect.objectContaining({ code: "conflict" }));
    expect(() => roster.workers.get("nobody")).toThrow(expect.objectContaining({ code: "not_found" }));
    await expect(roster.workers.get("starting").list()).rejects.toMatchObject({ code: "member_unavailable" });
    expect(livesOf("scribe")[0]?.asked).toEqual([]);
  });

  it("tell what changes through the hall, whoever changes it", async () => {
    const { roster, start, livesOf } = setRosterStage([worker("researcher")], {
      answerJobs: (method) => ({ jobId: ids[0], ...(method === "worker/cancel" ? { status: "cancelled" } : { deleted: true }) }),
    });
    await start();
    livesOf("researcher")[0]?.connect();
    const told: unknown[] = [];
    roster.workers.onJob((change) => told.push(change));
    const { servers } = await roster.offersFor(["researcher"]);

    await callOf(servers, "dispatch")?.({ description: "Prices", task: "Find them." }, never);
    await callOf(servers, "cancel")?.({ jobId: ids[0] }, never);
    await callOf(servers, "delete")?.({ jobId: ids[0] }, never);

    expect(told).toEqual([
      { worker: "researcher", jobId: ids[0], status: "running" },
      { worker: "researcher", jobId: ids[0], status: "cancelled" },
      { worker: "researcher", jobId: ids[0], status: null },
    ]);
  });
});

const callOf = (servers: readonly ToolServer[], name: string) => servers.at(-1)?.tools.find((each) => each.name === name)?.call;

const textIn = (result: Awaited<ReturnType<ToolServer["tools"][number]["call"]>> | undefined): unknown => {
  const [first] = result?.content ?? [];
  return first?.type === "text" ? JSON.parse(first.text) : null;
};
