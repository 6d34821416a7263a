import { onTestFinished } from "vitest";
import type { Life } from "../world.testing.ts";
import { describeJobEngine } from "./job-engine-conformance.testing.ts";
import type { EngineProcess } from "./job-engine-backend.testing.ts";
import { createMemoryJobEngine } from "./memory-job-engine.testing.ts";
import type { EngineDisk } from "./memory-job-engine.testing.ts";

/** What the model tests use in place of the engine must keep the same promises. */
describeJobEngine("the job engine in memory", { severalProcesses: false, waitingJobs: 200 }, async () => {
  const disk: EngineDisk = new Map();
  let owner: Life | null = null;

  function take(life: Life) {
    if (owner !== null && !owner.isOver) throw new Error("Another process has the engine.");
    owner = life;
    const engine = createMemoryJobEngine({ life, disk, now: () => new Date().toISOString(), onProblem: () => undefined, retryMs: 20 });
    return {
      ...engine,
      async close() {
        const closed = await engine.close();
        if (owner === life) owner = null;
        return closed;
      },
    };
  }

  async function open() {
    const engine = take(createLife().life);
    onTestFinished(async () => {
      await engine.close();
    });
    await engine.start();
    return engine;
  }

  return {
    open,
    openCarelessly: open,
    async startProcess(kind, options): Promise<EngineProcess> {
      const { life, kill, freeze, thaw } = createLife();
      const engine = take(life);
      const lines: string[] = [];
      const readers: ((line: string) => void)[] = [];
      const doors = new Map<string, () => void>();
      const say = (line: string): void => {
        if (life.isOver) return;
        const reader = readers.shift();
        if (reader === undefined) lines.push(line);
        else reader(line);
      };
      const finished = (id: string) => new Promise<void>((resolve) => void doors.set(id, resolve));
      await engine.start();
      const watch = async (id: string): Promise<void> => {
        while ((await engine.get(id))?.endedAt === null) await life.pause(5);
        say(`ended ${id}`);
      };
      // It goes on settling what it found while the test listens.
      void engine.consume(
        kind,
        options,
        async ({ job: { id }, attempt, signal }) => {
          say(`run ${id} ${attempt}`);
          signal.addEventListener("abort", () => say(`abort ${id}`), { once: true });
          void watch(id);
          await finished(id);
        },
        async ({ id, state }) => {
          say(`settle ${id} ${state}`);
          void watch(id);
          await finished(id);
        },
      );
      return {
        next: () => {
          const line = lines.shift();
          return line === undefined ? new Promise((resolve) => void readers.push(resolve)) : Promise.resolve(line);
        },
        finish: (id) => doors.get(id)?.(),
        cancel: (id) => void engine.cancel(id).then(() => say(`cancelled ${id}`)),
        kill: async () => kill(),
        freeze,
        thaw,
      };
    },
  };
});

/** A life on a machine that goes by itself. */
function createLife() {
  let frozen: PromiseWithResolvers<void> | null = null;
  const timers = new Set<NodeJS.Timeout>();
  const never = new Promise<never>(() => undefined);
  const state = { isOver: false };
  const step = async (): Promise<void> => {
    await Promise.resolve();
    await frozen?.promise;
    if (state.isOver) await never;
  };
  const schedule: Life["schedule"] = (ms, work) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!state.isOver) work();
    }, ms);
    timers.add(timer);
    return () => clearTimeout(timer);
  };
  const life: Life = {
    get isOver() {
      return state.isOver;
    },
    step,
    async read(value) {
      await step();
      return value();
    },
    async write(effect) {
      await step();
      return effect();
    },
    schedule,
    pause: (ms) => new Promise((resolve) => void schedule(ms, resolve)),
  };
  return {
    life,
    kill(): void {
      state.isOver = true;
      for (const timer of timers) clearTimeout(timer);
    },
    freeze: () => void (frozen = Promise.withResolvers()),
    thaw(): void {
      frozen?.resolve();
      frozen = null;
    },
  };
}
