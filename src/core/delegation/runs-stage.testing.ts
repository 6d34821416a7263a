import { HallError } from "../../schema/hall-error.ts";
import { newSdkSessionId } from "../../schema/ids.ts";
import type { JobRunId } from "../../schema/ids.ts";
import type { JobRun } from "../../schema/run.ts";
import { WorkerDefinition } from "../../schema/worker-definition.ts";
import { createScriptedRunner } from "../agent/scripted-runner.testing.ts";
import type { Conversations, ModelProcess, ModelStep } from "../agent/scripted-runner.testing.ts";
import { createMemoryApprovals } from "../approval/approval-store.testing.ts";
import type { ApprovalDisk } from "../approval/approval-store.testing.ts";
import { createApprovals } from "../approval/approvals.ts";
import type { Approvals } from "../approval/approvals.ts";
import { createMemoryEffects, createMemoryRuns, emptyRunDisk } from "../run/run-store.testing.ts";
import type { RunDisk } from "../run/run-store.testing.ts";
import type { RunStore } from "../run/run-store.ts";
import { createRunningCosts } from "../run/running-costs.ts";
import { createRuns } from "../run/runs.ts";
import type { Runs } from "../run/runs.ts";
import { createSlots } from "../run/slots.ts";
import { createMemoryLedger } from "../run/spending.testing.ts";
import type { LedgerDisk } from "../run/spending.testing.ts";
import { createWorld } from "../world.testing.ts";
import type { Life } from "../world.testing.ts";
import { equipRun } from "./equip-run.ts";
import type { EquipDeps } from "./equip-run.ts";
import { createRunStarter } from "./new-run.ts";
import { settleCalls } from "./settle-calls.ts";

type Disk = { runs: RunDisk; approvals: ApprovalDisk; ledger: LedgerDisk; conversations: Conversations };

type Hall = {
  life: Life;
  store: RunStore;
  runs: Runs;
  approvals: Approvals;
  start: (worker: string) => Promise<JobRun>;
  slots: ReturnType<typeof createSlots>;
  runner: ReturnType<typeof createScriptedRunner>;
  state: "starting" | "open" | "broken";
};

export type RunsStage = ReturnType<typeof createRunsStage>;

type Options = { atOnce?: number; processes?: number };

/** The hall's own jobs on a machine that a test controls: real runs, approvals and tools of workers, and a model that is told what to do. */
export function createRunsStage(seed: number, { atOnce = 2, processes = 2 }: Options = {}) {
  const world = createWorld(seed);
  const disk: Disk = {
    runs: emptyRunDisk(),
    approvals: new Map(),
    ledger: { costs: new Map(), perDayUsd: null },
    conversations: new Map(),
  };
  const accepted: JobRunId[] = [];
  const breaches: string[] = [];
  const problems: unknown[] = [];
  let names = 0;
  let lives = 0;
  let hall = open();

  function open(): Hall {
    lives += 1;
    const life = world.live();
    const slots = createSlots(atOnce);
    const runner = createScriptedRunner({ world, life, kept: disk.conversations });
    const onProblem = (error: unknown) => void problems.push(error);
    const store = createMemoryRuns(life, disk.runs);
    const effects = createMemoryEffects(life, disk.runs);
    const ledger = createMemoryLedger(life, disk.ledger);
    const foldersOf = ({ id }: JobRun) => ({ cwd: `/${id}`, read: [`/${id}`], write: [`/${id}`] });
    const approvals = createApprovals({
      store: createMemoryApprovals(life, disk.approvals),
      checkEdited: () => undefined,
      onDecided: (id) => runs.wake(id),
      isOpen: (id) => runs.isOpen(id),
      now: world.now,
      // Everything happens in one thread here, so that a seed gives the same story each time.
      hash: async (text) => text,
    });
    const settle = {
      approvals,
      effects,
      store,
      rootOf: (path: string) => `/${path}`,
    };
    const runs = createRuns({
      store,
      runner: runner.runner,
      slots,
      ledger,
      costs: createRunningCosts(ledger),
      isEstimate: () => false,
      resetClock: { schedule: life.schedule, clock: world.clock, random: () => 0.5 },
      resumesAtReset: () => true,
      foldersOf,
      equip: (run, wait) => equipRun(run, wait, tools),
      settleCalls: (run, transcript, isAnswered) => settleCalls(run, transcript, isAnswered, settle),
      async onToolResult({ id }, { id: callId }) {
        const effect = (await effects.of(id)).find((each) => each.callId === callId && each.state === "started");
        if (effect !== undefined) await effects.note(id, { ...effect, state: "done", result: "It has run." });
      },
      onEnded: ({ id }) => approvals.voidOf(id),
      processes,
      parkAfterMs: 3_600_000,
      schedule: life.schedule,
      now: world.now,
      newPromptId: () => crypto.randomUUID(),
      newConversation: newSdkSessionId,
      onProblem,
    });
    const starter = createRunStarter({
      runs,
      store,
      definitions: { read: (name) => life.read(() => definitionOf(name)), has: async () => true },
      model: null,
      now: world.now,
      newPromptId: () => crypto.randomUUID(),
    });
    const tools: EquipDeps = {
      ...settle,
      foldersOf,
      now: world.now,
      chainOf: (run) => starter.chainOf(run),
      startChild: starter.startChild,
      ended: runs.ended,
      isOpen: runs.isOpen,
    };
    const opened: Hall = {
      life,
      store,
      runs,
      approvals,
      start: (worker) => starter.start(worker, `Task ${(names += 1)}`),
      slots,
      runner,
      state: "starting",
    };
    runs
      .start()
      .then(() => approvals.settle().catch(onProblem))
      .then(
        () => (opened.state = "open"),
        () => (opened.state = "broken"),
      );
    return opened;
  }

  /** A request of a person. It may be refused; it may not break. */
  const ask = (request: Promise<unknown>): void =>
    void request.catch((error: unknown) => {
      if (!(error instanceof HallError)) breaches.push(`a request broke: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
    });

  return {
    world,
    disk,
    accepted,
    breaches,
    problems,
    hall: () => hall,
    /** How often the hall was started. */
    lives: () => lives,
    ask,
    /** Runs as the disk has them. */
    all: (): JobRun[] => [...disk.runs.runs.values()],
    /** As the hall knows them: the disk may have an end that was reported as failed. */
    open: (): JobRun[] => hall.store.open(),
    pending: () => hall.approvals.list("pending"),
    start(worker: string): void {
      const { life } = hall;
      ask(hall.start(worker).then(({ id }) => (life.isOver ? 0 : accepted.push(id))));
    },
    model(pick: number, step: (process: ModelProcess) => ModelStep): boolean {
      const idle = hall.runner.processes().filter((process) => process.isIdle());
      const process = idle[pick % Math.max(1, idle.length)];
      process?.give(step(process));
      return process !== undefined;
    },
    decide(pick: number, isYes: boolean): boolean {
      const pending = hall.approvals.list("pending");
      const one = pending[pick % Math.max(1, pending.length)];
      if (one === undefined) return false;
      ask(isYes ? hall.approvals.approve(one.id, { inputHash: one.inputHash }) : hall.approvals.reject(one.id, "No."));
      return true;
    },
    crash(): void {
      world.crash(hall.life);
      hall = open();
    },
    /** In the order in which a whole hall closes. */
    async close(): Promise<void> {
      hall.slots.close();
      await world.settle();
      ask(hall.runs.close());
      await world.settle();
      world.crash(hall.life);
      hall = open();
    },
  };
}

export const writeCall = (path: string) => ({ name: "mcp__files__write_file", input: { path: `out/${path}`, content: "Text." } });
export const childCall = { name: "mcp__delegation__worker_call", input: { worker_name: "clerk", input_data: "Do it." } };
export const builtInWrite = { name: "Write", input: { file_path: "/a.txt", content: "Text." } };

const definitionOf = (name: string): WorkerDefinition =>
  WorkerDefinition.parse({
    name,
    instructions: `You are ${name}.`,
    allow_workers: ["clerk"],
    built_in_tools: ["Write"],
    sandboxes: { out: { path: "out", mode: "rw" } },
    tool_rules: { ...(name === "free" ? {} : { "sandbox.write": { approval_required: true } }), Write: { approval_required: true } },
  });
