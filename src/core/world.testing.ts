import { HallError } from "../schema/hall-error.ts";
import type { Schedule } from "./schedule.ts";

/** How many random stories a model test plays. `MODEL_RUNS=20` plays twenty times as many. */
export const modelRuns = 600 * Number(process.env["MODEL_RUNS"] ?? 1);

/**
 * A machine that a test controls: its disk is memory, its clock stands still until it is moved, and each call to a port
 * stops at a step that the test lets go when it likes. A crash ends a life: its steps are never let go.
 */
export type World = ReturnType<typeof createWorld>;

/** What one process of the hall has of the world. After its crash none of its calls settles and none of its timers fires. */
export type Life = {
  readonly isOver: boolean;
  step(): Promise<void>;
  /** A read, between two moments at which other work may come first. */
  read<Value>(value: () => Value): Promise<Value>;
  /** A durable write. A full disk refuses it, sometimes after it took effect. */
  write<Result>(effect: () => Result, how?: { isAllOrNone: true }): Promise<Result>;
  schedule: Schedule;
  pause(ms: number): Promise<void>;
};

type Timer = { due: number; work: () => void };

export function createWorld(seed: number) {
  const next = randomOf(seed);
  const below = (count: number): number => Math.floor(next() * count);
  let time = Date.parse("2026-01-01T10:00:00.000Z");
  let isFull = false;
  let wasFull = false;
  let steps: (() => void)[] = [];
  let timers: Timer[] = [];

  /** Resolves when everything has come to its next step. */
  const quiet = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  /** Lets so many steps go, each at a random place of the queue. Returns false if there was nothing left to let go. */
  async function go(most: number): Promise<boolean> {
    for (let count = 0; count < most; count += 1) {
      await quiet();
      if (steps.length === 0) return false;
      // The oldest more often than each of the others: something that never has its turn is a hall that hangs.
      const [release] = steps.splice(below(3) === 0 ? 0 : below(steps.length), 1);
      release?.();
    }
    await quiet();
    return true;
  }

  function passTime(): boolean {
    const [first] = timers.toSorted((a, b) => a.due - b.due);
    if (first === undefined) return false;
    timers.splice(timers.indexOf(first), 1);
    time = Math.max(time, first.due);
    first.work();
    return true;
  }

  function live(): Life {
    const step = () => (life.isOver ? forever : new Promise<void>((resolve) => void steps.push(resolve)));
    const schedule: Schedule = (ms, work) => {
      const timer = { due: time + ms, work };
      if (!life.isOver) timers.push(timer);
      return () => void (timers = timers.filter((each) => each !== timer));
    };
    const life = {
      isOver: false,
      step,
      async read<Value>(value: () => Value): Promise<Value> {
        await step();
        return copyOf(value());
      },
      async write<Result>(effect: () => Result, how?: { isAllOrNone: true }): Promise<Result> {
        await step();
        if (isFull && (how?.isAllOrNone === true || below(4) > 0)) throw diskFull();
        const result = copyOf(effect());
        await step();
        if (isFull && how?.isAllOrNone !== true) throw diskFull();
        return result;
      },
      schedule,
      pause: (ms: number) => new Promise<void>((resolve) => void schedule(ms, resolve)),
    };
    return life;
  }

  return {
    live,
    crash(life: Life & { isOver: boolean }): void {
      Object.assign(life, { isOver: true });
      steps = [];
      timers = [];
    },
    go,
    /** Lets everything go that needs no passing of time. */
    async settle(): Promise<void> {
      for (let rounds = 0; await go(100); rounds += 1) if (rounds > 200) throw new Error("The hall goes on and on.");
    },
    passTime,
    /** Something happens by itself a moment from now. */
    isRestless: (): boolean => timers.some(({ due }) => due <= time + 2000),
    setFull(wanted: boolean): void {
      isFull = wanted;
      wasFull ||= wanted;
    },
    wasFull: (): boolean => wasFull,
    isFull: (): boolean => isFull,
    below,
    clock: (): number => time,
    now: (): string => new Date(time).toISOString(),
  };
}

const forever = new Promise<never>(() => undefined);

/** A copy, because a disk never shares its objects. */
export const copyOf = <Value>(value: Value): Value => (typeof value === "object" && value !== null ? structuredClone(value) : value);

const diskFull = () => new HallError("disk_full", "The disk is full.");

/** Mulberry32: small, and the same numbers for the same seed everywhere. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
