import { HallError } from "../../schema/hall-error.ts";
import type { ConnectionStep, MemberLogs, MemberStatus } from "../../schema/roster.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import type { ToolResult } from "../agent/agent-run.ts";
import type { MemberLauncher, MemberLife, MemberProgram } from "./member-launcher.ts";
import { nextStart } from "./next-start.ts";
import { createStderrTail } from "./stderr-tail.ts";

/** Does the work after so many milliseconds, unless what it answers is called before. */
export type Schedule = (ms: number, work: () => void) => () => void;

export type SupervisorDeps = {
  program: MemberProgram;
  launcher: MemberLauncher;
  now: () => number;
  schedule: Schedule;
  /** Nothing is started before this resolves. */
  isPrepared: Promise<unknown>;
  onTools: (tools: readonly ToolDefinition[]) => void;
  onChange: () => void;
};

export type Supervisor = ReturnType<typeof createSupervisor>;

/** Keeps one member running: starts it, starts it again after a crash, and gives up where that does not help. */
export function createSupervisor({ program, launcher, now, schedule, isPrepared, onTools, onChange }: SupervisorDeps) {
  const stderr = createStderrTail();
  /** Which start is meant to be under way. Whatever an earlier one still says is not heard. */
  let attempt: object | null = null;
  let life: MemberLife | null = null;
  let earlierEnded: Promise<unknown> = isPrepared;
  let connectedAt: number | null = null;
  let startedAt: string | null = null;
  let steps: readonly ConnectionStep[] = [];
  let failures = 0;
  let error: string | null = null;
  let due: { at: number; cancel: () => void } | null = null;
  let waiting: (() => void)[] = [];

  function changed(): void {
    if (!isOnItsWay()) for (const proceed of waiting.splice(0)) proceed();
    onChange();
  }

  /** Starting, or about to after a first crash of one that worked. */
  const isOnItsWay = (): boolean =>
    connectedAt === null && (error === null ? attempt !== null : failures === 1 && wasConnected && isTrying());
  const isTrying = (): boolean => attempt !== null || due !== null;
  let wasConnected = false;

  function begin(): void {
    const own = (attempt = {});
    due?.cancel();
    due = null;
    // One life at a time: the next begins when all of the last one is gone.
    void earlierEnded.then(() => {
      if (attempt === own) launch(own);
    });
    changed();
  }

  function launch(own: object): void {
    const isOver = () => attempt !== own;
    steps = [];
    stderr.mark(`--- started ${new Date(now()).toISOString()} ---`);
    const launched = launcher.launch(program, {
      onStderr: stderr.add,
      onStep(step) {
        if (isOver()) return;
        steps = steps.some(({ name }) => name === step.name)
          ? steps.map((each) => (each.name === step.name ? step : each))
          : [...steps, step];
        changed();
      },
      onSpawn(at) {
        if (isOver()) return;
        startedAt = at;
        changed();
      },
      onTools(tools) {
        if (isOver()) return;
        connectedAt ??= now();
        wasConnected = true;
        error = null;
        onTools(tools);
        changed();
      },
      onEnded(reason) {
        if (!isOver()) ended(reason);
      },
    });
    if (!isOver()) life = launched;
  }

  function ended(reason: string | null): void {
    const connectedMs = connectedAt === null ? 0 : now() - connectedAt;
    if (connectedAt === null) wasConnected = false;
    letGo();
    if (reason !== null) {
      const next = nextStart(failures, connectedMs);
      failures = next.failures;
      error = explain(reason, next.inMs === null);
      if (next.inMs !== null) due = { at: now() + next.inMs, cancel: schedule(next.inMs, begin) };
    }
    changed();
  }

  function letGo(): void {
    attempt = null;
    life = null;
    connectedAt = null;
    startedAt = null;
  }

  function explain(reason: string, isGivenUp: boolean): string {
    const lastLine = stderr.lastLine();
    const said = lastLine === null || reason.includes(lastLine) ? "" : ` It last wrote: ${lastLine}`;
    const gaveUp = ` It failed ${failures} times in a row, so the hall waits until you restart it: guild-hall member restart ${program.name}`;
    return `${reason}${said}${isGivenUp ? gaveUp : ""}`;
  }

  /** Resolves when the whole process group is gone. */
  function stop(): Promise<unknown> {
    due?.cancel();
    due = null;
    const gone = life?.end();
    earlierEnded = Promise.all([earlierEnded, gone]);
    letGo();
    changed();
    return earlierEnded;
  }

  return {
    /** Starts it unless it runs, starts, or is due. */
    start(): void {
      if (!isTrying()) begin();
    },
    stop,
    restart(): void {
      failures = 0;
      void stop();
      begin();
    },

    state: (): MemberState => ({
      status: connectedAt !== null ? "connected" : error === null ? "disconnected" : "error",
      error,
      steps,
      startedAt,
      nextStartAt: due === null ? null : new Date(due.at).toISOString(),
    }),
    isOnItsWay,
    logs: (): MemberLogs => stderr.read(),

    /** Resolves when it is connected or is known not to be soon, and in any case after so many milliseconds. */
    untilSettled(ms: number): Promise<void> {
      if (!isOnItsWay()) return Promise.resolve();
      return new Promise((resolve) => {
        const giveUp = schedule(ms, () => {
          waiting = waiting.filter((each) => each !== proceed);
          resolve();
        });
        const proceed = () => {
          giveUp();
          resolve();
        };
        waiting.push(proceed);
      });
    },

    call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult> {
      if (life === null || connectedAt === null) throw notConnected(program.name, error);
      return life.call(tool, input, signal);
    },
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
