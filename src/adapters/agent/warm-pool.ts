import { dispose } from "./agent-process.ts";
import type { AgentProcess } from "./agent-process.ts";
import { fingerprint } from "./process-shape.ts";
import type { ProcessShape } from "./process-shape.ts";

export type WarmPool = {
  /** Resolves when the process waits, or when it was dropped meanwhile. */
  add(key: string, shape: ProcessShape): Promise<void>;
  /**
   * The process that waits under the key, if it was started for this very shape; any other one is dropped. One that is still
   * starting is waited for until `stop` aborts.
   */
  take(key: string, shape: ProcessShape, stop: AbortSignal): Promise<AgentProcess | null>;
  drop(key: string): Promise<void>;
  /** Drops what was warmed for a conversation that another process is about to continue. */
  dropConversation(id: string): Promise<void>;
  /** Also refuses new ones from then on. */
  close(): Promise<void>;
};

export type WarmLimits = { warmCount: number; warmMs: number };

type Entry = {
  fingerprint: string;
  conversation: string | null;
  ready: Promise<AgentProcess | null>;
  giveUp: AbortController;
  timer: NodeJS.Timeout | undefined;
};

/** Starts a process and lets it wait. Aborting the signal ends it, at whatever point it is. */
export type StartWarm = (shape: ProcessShape, signal: AbortSignal) => Promise<AgentProcess>;

/** Processes that were started ahead of a run. They have made no model call, and each goes by itself after a while. */
export function createWarmPool(limits: WarmLimits, start: StartWarm): WarmPool {
  const entries = new Map<string, Entry>();
  let closed = false;

  const remove = (key: string, entry: Entry): void => {
    clearTimeout(entry.timer);
    if (entries.get(key) === entry) entries.delete(key);
  };

  const discard = async (key: string, entry: Entry): Promise<void> => {
    remove(key, entry);
    entry.giveUp.abort();
    await dispose(await entry.ready);
  };

  const drop = async (key: string): Promise<void> => {
    const entry = entries.get(key);
    if (entry !== undefined) await discard(key, entry);
  };

  return {
    async add(key, shape) {
      const wanted = fingerprint(shape);
      const present = entries.get(key);
      if (closed || limits.warmCount === 0) return;
      if (present?.fingerprint === wanted) return void (await present.ready);

      // The entry stands before anything is awaited, so that whoever drops it meanwhile finds it.
      const others = [...entries].filter(([name]) => name !== key);
      const surplus = others.slice(0, Math.max(0, others.length - limits.warmCount + 1));
      const outdated: [string, Entry][] = present === undefined ? surplus : [...surplus, [key, present]];
      const giveUp = new AbortController();
      const begin = async () => {
        await Promise.all(outdated.map(([name, entry]) => discard(name, entry)));
        return start(shape, giveUp.signal);
      };
      // A process that could not be warmed is no loss: the run starts one, and says what is wrong.
      const ready = begin().catch(() => null);
      const entry: Entry = { fingerprint: wanted, conversation: shape.conversation?.id ?? null, ready, giveUp, timer: undefined };
      entries.set(key, entry);
      const process = await ready;
      if (process === null) return remove(key, entry);
      if (entries.get(key) === entry) entry.timer = setTimeout(() => void discard(key, entry), limits.warmMs).unref();
      const clearAway = async () => {
        await process.child.gone();
        remove(key, entry);
        await dispose(process);
      };
      void clearAway();
    },
    async take(key, shape, stop) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (entry.fingerprint !== fingerprint(shape)) {
        await discard(key, entry);
        return null;
      }
      remove(key, entry);
      const giveUp = () => entry.giveUp.abort();
      stop.addEventListener("abort", giveUp, { once: true });
      if (stop.aborted) giveUp();
      const process = await entry.ready;
      stop.removeEventListener("abort", giveUp);
      return process?.child.exit() === null ? process : null;
    },
    drop,
    async dropConversation(id) {
      const stale = [...entries].filter(([, entry]) => entry.conversation === id);
      await Promise.all(stale.map(([key, entry]) => discard(key, entry)));
    },
    async close() {
      closed = true;
      await Promise.all([...entries].map(([key, entry]) => discard(key, entry)));
    },
  };
}
