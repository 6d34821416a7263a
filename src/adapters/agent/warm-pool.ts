import type { AgentProcess } from "./agent-process.ts";
import { fingerprint } from "./process-shape.ts";
import type { ProcessShape } from "./process-shape.ts";

export type WarmPool = {
  /** Resolves when the process waits, or when it was dropped meanwhile. */
  add(key: string, shape: ProcessShape): Promise<void>;
  /** The process that waits under the key, if it was started for this very shape; any other one is dropped. */
  take(key: string, shape: ProcessShape): Promise<AgentProcess | null>;
  drop(key: string): Promise<void>;
  /** Drops what was warmed for a conversation that another process is about to continue. */
  dropConversation(id: string): Promise<void>;
  dropAll(): Promise<void>;
};

export type WarmLimits = { warmCount: number; warmMs: number };

type Entry = { fingerprint: string; conversation: string | null; ready: Promise<AgentProcess | null>; timer: NodeJS.Timeout };

/** Processes that were started ahead of a run. They have made no model call, and each goes by itself after a while. */
export function createWarmPool(limits: WarmLimits, start: (shape: ProcessShape) => Promise<AgentProcess>): WarmPool {
  const entries = new Map<string, Entry>();

  const remove = (key: string, entry: Entry): void => {
    clearTimeout(entry.timer);
    if (entries.get(key) === entry) entries.delete(key);
  };

  const discard = async (key: string, entry: Entry): Promise<void> => {
    remove(key, entry);
    const process = await entry.ready;
    await process?.stop();
    await process?.settle();
  };

  const drop = async (key: string): Promise<void> => {
    const entry = entries.get(key);
    if (entry !== undefined) await discard(key, entry);
  };

  return {
    async add(key, shape) {
      const wanted = fingerprint(shape);
      const present = entries.get(key);
      if (present?.fingerprint === wanted) return void (await present.ready);
      await drop(key);
      const oldest = entries.keys().next();
      if (entries.size >= limits.warmCount && oldest.done === false) await drop(oldest.value);

      // A process that could not be warmed is no loss: the run starts one, and says what is wrong.
      const ready = start(shape).catch(() => null);
      const timer = setTimeout(() => void drop(key), limits.warmMs).unref();
      const entry: Entry = { fingerprint: wanted, conversation: shape.conversation?.id ?? null, ready, timer };
      entries.set(key, entry);
      const process = await ready;
      if (process === null) remove(key, entry);
      else void process.child.gone().then(() => remove(key, entry));
    },
    async take(key, shape) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (entry.fingerprint !== fingerprint(shape)) {
        await discard(key, entry);
        return null;
      }
      remove(key, entry);
      const process = await entry.ready;
      if (process === null || process.child.exit() === null) return process;
      await process.settle();
      return null;
    },
    drop,
    async dropConversation(id) {
      const stale = [...entries].filter(([, entry]) => entry.conversation === id);
      await Promise.all(stale.map(([key, entry]) => discard(key, entry)));
    },
    async dropAll() {
      await Promise.all([...entries].map(([key, entry]) => discard(key, entry)));
    },
  };
}
