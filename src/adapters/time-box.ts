import { createContext, Script } from "node:vm";

/**
 * `costly`: the work used up its share of the processor, however it spent it: in a loop without end or inside a regular
 * expression. `starved`: it did not get that share in a time anybody could wait for, because others kept the processor.
 */
export type Boxed<Result> = { outcome: "done"; result: Result } | { outcome: "costly" | "starved" };

/** The work may be begun more than once, so nothing of an earlier beginning may matter to it. */
export type TimeBox = <Result>(work: () => Result) => Boxed<Result>;

/**
 * Bounds work that runs without a pause, which nothing else can: no timer fires before it is done. The engine's own clock
 * for scripts can, so the work is called from a script. That clock goes on while other programs have the processor, so
 * what it interrupts is judged by the processor's time, and begun again with more of the clock's where it had too little.
 */
export function createTimeBox(cpuMs: number): TimeBox {
  const context = createContext({ work: () => undefined });
  const script = new Script("work()");

  function isDoneWithin<Result>(ms: number, work: () => Result): { result: Result } | null {
    let done: { result: Result } | null = null;
    context["work"] = () => void (done = { result: work() });
    try {
      script.runInContext(context, { timeout: ms });
      return done;
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    } finally {
      context["work"] = () => undefined;
    }
  }

  return (work) => {
    for (const patience of patiences) {
      const before = process.threadCpuUsage();
      const done = isDoneWithin(cpuMs * patience, work);
      if (done !== null) return { outcome: "done", result: done.result };
      const { user, system } = process.threadCpuUsage(before);
      if ((user + system) / 1000 >= cpuMs) return { outcome: "costly" };
    }
    return { outcome: "starved" };
  };
}

/** How many times its share of the processor the work may take by the clock: on an idle machine only the first matters. */
const patiences = [1.25, 3, 8];

/** It comes from the script's own world, whose errors are not instances of our Error. */
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
