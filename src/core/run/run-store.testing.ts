import type { JobRunId } from "../../schema/ids.ts";
import type { JobRun } from "../../schema/run.ts";
import { createTurns } from "../in-turn.ts";
import { copyOf } from "../world.testing.ts";
import type { Life } from "../world.testing.ts";
import type { Effect, Effects, JobRunEvent, RunStore } from "./run-store.ts";

type LoggedEvent = { attempt: number; event: JobRunEvent };

export type RunDisk = {
  runs: Map<JobRunId, JobRun>;
  events: Map<JobRunId, LoggedEvent[]>;
  effects: Map<JobRunId, Effect[]>;
  /** Each write of a file: its path and the call. */
  written: Set<string>;
  /** Runs whose record changed after it said how they ended. */
  changedAfterEnd: JobRunId[];
};

export const emptyRunDisk = (): RunDisk => ({
  runs: new Map(),
  events: new Map(),
  effects: new Map(),
  written: new Set(),
  changedAfterEnd: [],
});

/** Records of runs on a disk that is memory. Like the files, it knows a record only when the write of it succeeded. */
export function createMemoryRuns(life: Life, disk: RunDisk): RunStore {
  const known = new Map([...disk.runs].map(([id, run]) => [id, copyOf(run)]));
  const all = () => [...known.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const eventsOf = (id: JobRunId) => disk.events.get(id) ?? [];
  return {
    get: (id) => known.get(id) ?? null,
    open: () => all().filter(({ endedAt }) => endedAt === null),
    childrenOf: (id) => all().filter(({ parent }) => parent === id),
    async save(run) {
      const saved = copyOf(run);
      const isNew = !disk.runs.has(run.id);
      await life.write(
        () => {
          const before = known.get(run.id);
          if (before !== undefined && before.endedAt !== null && JSON.stringify(before) !== JSON.stringify(saved))
            disk.changedAfterEnd.push(run.id);
          disk.runs.set(run.id, saved);
        },
        isNew ? { isAllOrNone: true } : undefined,
      );
      known.set(run.id, saved);
    },
    log: (id, attempt, event) =>
      life.write(() => void disk.events.set(id, [...eventsOf(id), { attempt, event: copyOf(event) }]), { isAllOrNone: true }),
    reader(id) {
      let next = 0;
      return () =>
        life.read(() => {
          const events = eventsOf(id).map(({ event }, at) => ({ at, event }));
          const unread = events.slice(next);
          next = events.length;
          return unread;
        });
    },
    results: (id) =>
      life.read(
        () =>
          new Map(eventsOf(id).flatMap(({ event }) => (event.type === "tool_result" ? [[event.id, JSON.stringify(event.content)]] : []))),
      ),
    lastText: (id) =>
      life.read(() => {
        const said = eventsOf(id).flatMap(({ event }) => (event.type === "text" ? [event] : []));
        return said
          .filter(({ responseId }) => responseId === said.at(-1)?.responseId)
          .map(({ text }) => text)
          .join("");
      }),
    costs: (id) =>
      life.read(() => {
        const last = new Map(eventsOf(id).flatMap(({ attempt, event }) => (event.type === "usage" ? [[attempt, event.costUsd]] : [])));
        return [...last].map(([attempt, costUsd]) => ({ attempt, at: "2026-01-01T00:00:00.000Z", costUsd }));
      }),
    usage: (id) =>
      life.read(() => {
        const last = new Map(eventsOf(id).flatMap(({ attempt, event }) => (event.type === "usage" ? [[attempt, event]] : [])));
        const sum = (key: "turns" | "inputTokens" | "outputTokens" | "costUsd") =>
          [...last.values()].reduce((total, usage) => total + usage[key], 0);
        return { turns: sum("turns"), inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens"), costUsd: sum("costUsd") };
      }),
  };
}

/** The journal of effects. Of the files it knows the names. */
export function createMemoryEffects(life: Life, disk: RunDisk): Effects {
  const inTurn = createTurns<JobRunId>();
  const entries = (run: JobRunId) => disk.effects.get(run) ?? [];
  const note = (run: JobRunId, effect: Effect) =>
    life.write(() => void disk.effects.set(run, [...entries(run).filter(({ callId }) => callId !== effect.callId), effect]), {
      isAllOrNone: true,
    });
  return {
    of: (run) => inTurn(run, () => life.read(() => entries(run))),
    note: (run, effect) => inTurn(run, () => note(run, effect)),
    write: (run, call, { path, result }) =>
      inTurn(run, async () => {
        const known = entries(run).find(({ callId }) => callId === call.callId);
        if (known?.state === "done") return known;
        if (known === undefined) await note(run, { ...call, state: "started", result: null });
        await life.write(() => void disk.written.add(`${path} ${call.callId}`), { isAllOrNone: true });
        const done: Effect = { ...call, state: "done", result };
        await note(run, done);
        return done;
      }),
  };
}
