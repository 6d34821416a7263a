import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { MessageId } from "../../../schema/ids.ts";
import type { SessionId } from "../../../schema/ids.ts";
import type { Match } from "../../../schema/session.ts";
import type { Layout } from "../layout.ts";
import type { IndexKeeper } from "./index-keeper.ts";

export type MessageSearch = {
  /** There may be something new in a session's messages. Costs nothing here and never fails. */
  changed(id: SessionId): void;
  /** The sessions with the words in one of their messages, each with the place of the last one. */
  find(search: string): Promise<ReadonlyMap<string, number>>;
  /** The places that were found, to be shown, by session. */
  show(search: string, hits: ReadonlyMap<string, number>): Promise<Record<string, Match>>;
  /** Resolves when everything that was said so far is in the index. */
  settled(): Promise<void>;
  /** Looks at every file now. */
  check(): Promise<void>;
  close(): Promise<void>;
};

export type Call = { number: number; name: keyof IndexKeeper; args: unknown[] };
export type Answer = { number: number; value: unknown } | { number?: number; problem: string };

type SearchDeps = {
  layout: Layout;
  onProblem?: (error: unknown) => void;
  checkEveryMs?: number;
};

const tenMinutes = 600_000;
/** A thread that died is started again, but not over and over. */
const restPerDeathMs = 60_000;

/**
 * Search over what was said. The work is done in a thread, because SQLite answers at once or not at all; without it, with a
 * full disk for instance, sessions are still found by their names.
 */
export function openMessageSearch({ layout, onProblem = () => undefined, checkEveryMs = tenMinutes }: SearchDeps): MessageSearch {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  let isClosed = false;
  let restUntil = 0;
  let worker: Worker | null = start();

  function start(): Worker {
    // The compiled file has another ending.
    const program = join(import.meta.dirname, `search-worker${extname(import.meta.filename)}`);
    const started = new Worker(program, { workerData: { home: layout.home }, env: {}, execArgv: [], resourceLimits });
    started.unref();
    started.on("message", take);
    started.on("error", onProblem);
    started.on("exit", () => {
      if (worker !== started) return;
      worker = null;
      restUntil = performance.now() + restPerDeathMs;
      for (const { reject } of waiting.values()) reject(new Error("The thread of the message index ended."));
      waiting.clear();
    });
    return started;
  }

  function take(answer: Answer): void {
    const asked = answer.number === undefined ? undefined : waiting.get(answer.number);
    if (answer.number !== undefined) waiting.delete(answer.number);
    if ("problem" in answer) (asked?.reject ?? onProblem)(new Error(`The index of messages: ${answer.problem}`));
    else asked?.resolve(answer.value);
    if (waiting.size === 0) worker?.unref();
  }

  async function ask<Name extends keyof IndexKeeper>(
    name: Name,
    ...args: Parameters<IndexKeeper[Name]>
  ): Promise<Awaited<ReturnType<IndexKeeper[Name]>> | null> {
    if (worker === null && !isClosed && performance.now() > restUntil) worker = start();
    if (worker === null) return null;
    count += 1;
    const asked = Promise.withResolvers<unknown>();
    waiting.set(count, asked);
    // Whoever waits for an answer keeps the process alive, nobody else.
    worker.ref();
    worker.postMessage({ number: count, name, args } satisfies Call);
    // The keeper's method of that name answers with its own type.
    return asked.promise as Promise<Awaited<ReturnType<IndexKeeper[Name]>>>;
  }

  const orNothing = (error: unknown): null => {
    onProblem(error);
    return null;
  };
  const timer = setInterval(() => void ask("check").catch(onProblem), checkEveryMs);
  timer.unref();

  return {
    changed: (id) => void ask("changed", id).catch(onProblem),

    async find(search) {
      const hits = (await ask("find", search).catch(orNothing)) ?? [];
      return new Map(hits.map(({ session, offset }) => [session, offset]));
    },

    async show(search, hits) {
      const places = [...hits].map(([session, offset]) => ({ session, offset }));
      const shown = (await ask("show", search, places).catch(orNothing)) ?? [];
      return Object.fromEntries(
        shown.flatMap(({ session, messageId, text, marks }) => {
          const id = MessageId.safeParse(messageId);
          return id.success ? [[session, { messageId: id.data, text, marks }]] : [];
        }),
      );
    },

    settled: async () => void (await ask("settled").catch(orNothing)),
    check: async () => void (await ask("check").catch(orNothing)),

    async close() {
      if (isClosed) return;
      clearInterval(timer);
      const closing = ask("close").catch(orNothing);
      isClosed = true;
      await closing;
      await worker?.terminate();
    },
  };
}

/** What it reads is cut into slices, so it needs little; a runaway ends the thread and not the hall. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4 };
