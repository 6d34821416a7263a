import { createContext, Script } from "node:vm";

/** Answers null where the work is not done in time, however it spends it: in a loop without end or inside a regular expression. */
export type TimeBox = <Result>(work: () => Result) => Result | null;

/**
 * Bounds work that runs without a pause, which nothing else can: no timer fires before it is done. The engine's own clock
 * for scripts can, so the work is called from a script. What was interrupted is left as it was at that moment and must
 * not be used again.
 */
export function createTimeBox(ms: number): TimeBox {
  const context = createContext({ work: () => undefined });
  const script = new Script("work()");
  return (work) => {
    let result: ReturnType<typeof work> | null = null;
    context["work"] = () => void (result = work());
    try {
      script.runInContext(context, { timeout: ms });
      return result;
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    } finally {
      context["work"] = () => undefined;
    }
  };
}

/** It comes from the script's own world, whose errors are not instances of our Error. */
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
