import { HallError } from "../../schema/hall-error.ts";
import { isWorker } from "../../schema/manifest.ts";
import type { ConnectionStep, MemberLogs, MemberStatus } from "../../schema/roster.ts";
import type { ToolResult } from "../agent/agent-run.ts";
import type { Schedule } from "../schedule.ts";
import { createWorkerHandle } from "../worker/create-worker-handle.ts";
import type { MemberLauncher, MemberLife, MemberProgram, MemberWatch } from "./member-launcher.ts";
import { nextStart } from "./next-start.ts";
import { createStderrTail } from "./stderr-tail.ts";

export type SupervisorDeps = {
  program: MemberProgram;
  launcher: MemberLauncher;
  now: () => number;
  schedule: Schedule;
  /** Nothing is started before this resolves. */
  isPrepared: Promise<unknown>;
  onTools: MemberWatch["onTools"];
  onChange: () => void;
};

export type Supervisor = ReturnType<typeof createSupervisor>;

type Phase =
  | { name: "stopped" }
  /** For the next start after a crash. */
  | { name: "waiting"; until: number; cancel: () => void }
  /** `life` is null until all of the one before is gone. */
  | { name: "starting"; life: MemberLife | null }
  | { name: "connected"; life: MemberLife | null; since: number };

/** Keeps one member running: starts it, starts it again after a crash, and gives up where that does not help. */
export function createSupervisor({ program, launcher, now, schedule, isPrepared, onTools, onChange }: SupervisorDeps) {
  const stderr = createStderrTail();
  const settled = createWaitingRoom(schedule);
  let phase: Phase = { name: "stopped" };
  /** Which start is meant to be under way. Whatever an earlier one still says is not heard. */
  let attempt: object | null = null;
  let earlierGone: Promise<unknown> = isPrepared;
  let startedAt: string | null = null;
  let steps: readonly ConnectionStep[] = [];
  let failures = 0;
  let error: string | null = null;
  /** It worked and fell for the first time, so it will most likely be back at once. */
  let isFirstFall = false;
  let isClosed = false;

  /** Whether it is worth waiting for. One that failed before is not. */
  const isOnItsWay = (): boolean =>
    (phase.name === "starting" && failures === 0) || (isFirstFall && (phase.name === "starting" || phase.name === "waiting"));

  function enter(next: Phase): void {
    if (phase.name === "waiting") phase.cancel();
    phase = next;
    changed();
  }

  function changed(): void {
    if (!isOnItsWay()) settled.open();
    onChange();
  }

  function begin(): void {
    if (isClosed) return;
    const own = (attempt = {});
    enter({ name: "starting", life: null });
    void earlierGone.then(() => {
      if (attempt === own) launch(own);
    });
  }

  function launch(own: object): void {
    steps = [];
    stderr.mark(`--- started ${new Date(now()).toISOString()} ---`);
    const life = launcher.launch(
      program,
      watchOf(() => attempt === own),
    );
    if (attempt === own && "life" in phase) phase = { ...phase, life };
  }

  const watchOf = (isHeard: () => boolean): MemberWatch => ({
    onStderr: stderr.add,
    onStep(step) {
      if (!isHeard()) return;
      const isKnown = steps.some(({ name }) => name === step.name);
      steps = isKnown ? steps.map((each) => (each.name === step.name ? step : each)) : [...steps, step];
      changed();
    },
    onSpawn(at) {
      if (!isHeard()) return;
      startedAt = at;
      changed();
    },
    onTools(tools, leftOut) {
      if (!isHeard()) return;
      error = null;
      onTools(tools, leftOut);
      if (phase.name === "starting") enter({ name: "connected", life: phase.life, since: now() });
      else changed();
    },
    onEnded(reason) {
      if (isHeard()) ended(reason);
    },
  });

  function ended(reason: string | null): void {
    attempt = null;
    startedAt = null;
    if (reason === null) return enter({ name: "stopped" });
    const next = nextStart(failures, phase.name === "connected" ? now() - phase.since : 0);
    failures = next.failures;
    isFirstFall = failures === 1 && phase.name === "connected";
    error = explain(reason, next.inMs === null);
    if (next.inMs === null) return enter({ name: "stopped" });
    enter({ name: "waiting", until: now() + next.inMs, cancel: schedule(next.inMs, begin) });
  }

  function explain(reason: string, isGivenUp: boolean): string {
    const lastLine = stderr.lastLine();
    const said = lastLine === null || reason.includes(lastLine) ? "" : ` It last wrote: “${lastLine}”.`;
    const gaveUp = ` It failed ${failures} times in a row, so the hall waits until you restart it: guild-hall member restart ${program.name}`;
    return `${reason}${said}${isGivenUp ? gaveUp : ""}`;
  }

  function present(): MemberLife {
    if (phase.name !== "connected" || phase.life === null) throw notConnected(program.name, error);
    return phase.life;
  }

  /** Resolves when the whole process group is gone. */
  async function stop(): Promise<void> {
    const gone = "life" in phase ? phase.life?.end() : undefined;
    earlierGone = Promise.all([earlierGone, gone]);
    attempt = null;
    startedAt = null;
    isFirstFall = false;
    enter({ name: "stopped" });
    await earlierGone;
  }

  return {
    /** Starts it unless it runs, starts, or will be started. */
    start(): void {
      if (phase.name === "stopped") begin();
    },
    /** The same, but one that the hall has given up waits for a person. */
    wake(): void {
      if (phase.name === "stopped" && error === null) begin();
    },
    stop,
    /** Stops it for good: nothing is started after this, whoever asks. */
    close(): Promise<void> {
      isClosed = true;
      return stop();
    },
    /** A person's wish: what failed before does not count. */
    restart(): void {
      failures = 0;
      void stop();
      begin();
    },

    state: (): MemberState => ({
      status: phase.name === "connected" ? "connected" : error === null ? "disconnected" : "error",
      error,
      steps,
      startedAt,
      nextStartAt: phase.name === "waiting" ? new Date(phase.until).toISOString() : null,
    }),
    logs: (): MemberLogs => stderr.read(),

    /** Resolves when it is connected or will not be soon, and in any case after so many milliseconds, or when nobody waits any more. */
    untilSettled: async (ms: number, signal?: AbortSignal): Promise<void> => (isOnItsWay() ? settled.wait(ms, signal) : undefined),

    call: async (tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult> =>
      present().call(tool, input, signal),

    /** What it can be asked as a worker, over whichever life it has at that moment; null for one that takes no jobs. */
    worker: isWorker(program.manifest)
      ? createWorkerHandle({
          member: program.name,
          ask: async (method, params, signal) => present().askWorker(method, params, signal),
          offers: () => present().workerOffers(),
        })
      : null,
  };
}

export type MemberState = {
  status: MemberStatus;
  error: string | null;
  steps: readonly ConnectionStep[];
  startedAt: string | null;
  nextStartAt: string | null;
};

export const notConnected = (name: string, error: string | null): HallError =>
  new HallError("member_unavailable", `Guild member "${name}" is not connected${error === null ? " yet: it is starting." : `: ${error}`}`);

function createWaitingRoom(schedule: Schedule) {
  const waiting = new Set<() => void>();
  return {
    open: (): void => waiting.forEach((leave) => leave()),
    wait: (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const leave = () => {
          cancel();
          signal?.removeEventListener("abort", leave);
          waiting.delete(leave);
          resolve();
        };
        const cancel = schedule(ms, leave);
        if (signal?.aborted === true) return leave();
        signal?.addEventListener("abort", leave);
        waiting.add(leave);
      }),
  };
}
