import { HallError } from "../../schema/hall-error.ts";
import { MessageId } from "../../schema/ids.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { Message, Session } from "../../schema/session.ts";
import { createScriptedRunner } from "../agent/scripted-runner.testing.ts";
import type { Conversations, ModelProcess, ModelStep } from "../agent/scripted-runner.testing.ts";
import type { Tool } from "../agent/agent-run.ts";
import { createMemoryJobEngine } from "../engine/memory-job-engine.testing.ts";
import type { EngineDisk } from "../engine/memory-job-engine.testing.ts";
import { createPauses } from "../run/pauses.ts";
import { createMemoryProgressStore } from "../run/progress-store.testing.ts";
import type { ProgressDisk } from "../run/progress-store.testing.ts";
import { textIn } from "../run/notes.ts";
import { createRunningCosts } from "../run/running-costs.ts";
import { createSlots } from "../run/slots.ts";
import { createMemoryLedger } from "../run/spending.testing.ts";
import type { LedgerDisk } from "../run/spending.testing.ts";
import { createWorld } from "../world.testing.ts";
import type { Life, World } from "../world.testing.ts";
import { createMemoryQueues, createMemorySessions, emptySessionDisk } from "./session-store.testing.ts";
import type { SessionDisk } from "./session-store.testing.ts";
import { createSessions } from "./sessions.ts";
import type { Sessions } from "./sessions.ts";

export const atOnce = 2;

type Disk = { sessions: SessionDisk; engine: EngineDisk; progress: ProgressDisk; ledger: LedgerDisk; conversations: Conversations };

/** A person who was asked, and has not answered. */
type Asked = { answer: () => void };

type Hall = {
  life: Life;
  sessions: Sessions;
  slots: ReturnType<typeof createSlots>;
  runner: ReturnType<typeof createScriptedRunner>;
  asked: Set<Asked>;
  state: "starting" | "open" | "broken";
};

/** How the request that sent a message ended. Null while it has not, and for good if the hall crashed first. */
type Sent = {
  session: SessionId;
  text: string;
  how: "direct" | "queued" | "note";
  reply: "accepted" | "refused" | null;
  /** A person has tried to take it back. */ isTakenBack?: true;
  isExcused?: true;
};

export type SessionsStage = ReturnType<typeof createSessionsStage>;

/** Sessions on a machine that a test controls, with a record of what people were told. */
export function createSessionsStage(seed: number) {
  const world = createWorld(seed);
  const disk: Disk = {
    sessions: emptySessionDisk(),
    engine: new Map(),
    progress: new Map(),
    ledger: { costs: new Map(), perDayUsd: null },
    conversations: new Map(),
  };
  const sent: Sent[] = [];
  const removed = new Set<SessionId>();
  /** The `done` events of each run, over all lives of the hall. */
  const done = new Map<string, Set<string>>();
  const breaches: string[] = [];
  const problems: unknown[] = [];
  let names = 0;
  let lives = 0;
  let hall = open();

  function open(): Hall {
    const life = world.live();
    const slots = createSlots(atOnce);
    const runner = createScriptedRunner({ world, life, kept: disk.conversations });
    const asked = new Set<Asked>();
    const onProblem = (error: unknown) => void problems.push(error);
    const ledger = createMemoryLedger(life, disk.ledger);
    const sessions = createSessions({
      store: createMemorySessions(life, disk.sessions),
      queue: createMemoryQueues(life, disk.sessions),
      engine: createMemoryJobEngine({ life, disk: disk.engine, now: world.now, onProblem }),
      progress: createMemoryProgressStore(life, disk.progress),
      ledger,
      running: createRunningCosts(ledger),
      slots,
      pauses: createPauses({ schedule: life.schedule, clock: world.clock, random: () => 0.5 }),
      runner: runner.runner,
      context: { read: async () => ({ text: "", etag: "0" }), write: async () => ({ etag: "0" }) },
      members: {
        engage: () => undefined,
        offersFor: async () => ({ servers: [{ name: "person", tools: [askTool(asked, world, life)] }], note: null, workers: [] }),
      },
      limits: { maxTurns: 20, maxBudgetUsd: null, perSessionUsd: null },
      publish: () => undefined,
      watchContext: () => () => undefined,
      forgetConversation: async () => undefined,
      foldersOf: (id) => ({ cwd: `/${id}`, read: [`/${id}`], write: [`/${id}/artifacts`] }),
      webTools: () => [],
      isEstimate: () => false,
      resumesAtReset: () => true,
      newPromptId: () => `prompt-${(names += 1)}`,
      now: world.now,
      pause: life.pause,
      onProblem,
    });
    const opened: Hall = { life, sessions, slots, runner, asked, state: "starting" };
    sessions.start().then(
      () => (opened.state = "open"),
      () => (opened.state = "broken"),
    );
    return opened;
  }

  /** Counts the ends of the runs of a session that the present hall tells of. */
  function watch(id: SessionId): void {
    const { life, sessions } = hall;
    void (async () => {
      for await (const { id: eventId, event } of await sessions.events(id, undefined)) {
        if (event !== "done" || eventId.startsWith("rest.")) continue;
        const run = eventId.split(".")[0] ?? "";
        done.set(run, (done.get(run) ?? new Set()).add(`${lives} ${eventId}`));
        const stored = disk.sessions.sessions.get(id);
        if (!life.isOver && stored !== undefined && stored.endedQuery !== run)
          breaches.push(`${run} was told as done before its record said so`);
      }
    })().catch((error: unknown) => {
      if (!(error instanceof HallError)) breaches.push(`a stream broke: ${String(error)}`);
    });
  }

  function message(id: SessionId, how: Sent["how"], send: (text: string) => Promise<unknown>): void {
    const one: Sent = { session: id, text: `text-${(names += 1)}`, how, reply: null };
    sent.push(one);
    const { life } = hall;
    send(one.text).then(
      () => {
        if (!life.isOver) one.reply = "accepted";
        watch(id);
      },
      (error: unknown) => {
        one.reply = "refused";
        if (!(error instanceof HallError)) breaches.push(`was refused without words: ${String(error)}`);
      },
    );
  }

  const present = (id: SessionId): MessageId | null => {
    const found = [...disk.engine.values()].find(({ job }) => job.lane === id && job.endedAt === null);
    return found === undefined ? null : MessageId.parse(found.job.id);
  };

  /** A request of a person. It may be refused; it may not break. */
  const ask = (request: Promise<unknown>): void =>
    void request.catch((error: unknown) => {
      if (!(error instanceof HallError)) breaches.push(`a request broke: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
    });

  return {
    world,
    disk,
    sent,
    done,
    breaches,
    problems,
    removed,
    hall: () => hall,
    sessionIds: () => [...disk.sessions.sessions.keys()],
    async create(): Promise<void> {
      ask(hall.sessions.create({ name: `Session ${(names += 1)}`, members: [], limits: {} }, { isPerson: true }));
      await world.settle();
    },
    send: (id: SessionId) => message(id, "direct", (text) => hall.sessions.send(id, { text, queue: false })),
    queue: (id: SessionId) => message(id, "queued", (text) => hall.sessions.send(id, { text, queue: true })),
    note(id: SessionId): void {
      const run = present(id);
      if (run !== null) message(id, "note", (text) => hall.sessions.runs.note(run, text));
    },
    ofRun(id: SessionId, act: (runs: Sessions["runs"], run: MessageId) => Promise<unknown>): void {
      const run = present(id);
      if (run !== null) ask(act(hall.sessions.runs, run));
    },
    ask,
    remove(id: SessionId): void {
      ask(
        hall.sessions.remove(id).then(() => {
          removed.add(id);
        }),
      );
    },
    takeBack(id: SessionId): void {
      const [waiting] = disk.sessions.queues.get(id) ?? [];
      if (waiting === undefined) return;
      const one = sent.find(({ text }) => text === textIn(waiting));
      if (one !== undefined) one.isTakenBack = true;
      ask(hall.sessions.queue.remove(id, waiting.id));
    },
    /** The model of a process does something; those that are idle, in turn. */
    model(pick: number, step: (process: ModelProcess) => ModelStep): boolean {
      const idle = hall.runner.processes().filter((process) => process.isIdle());
      const process = idle[pick % Math.max(1, idle.length)];
      process?.give(step(process));
      return process !== undefined;
    },
    answer(pick: number): boolean {
      const one = [...hall.asked][pick % Math.max(1, hall.asked.size)];
      if (one !== undefined) hall.asked.delete(one);
      one?.answer();
      return one !== undefined;
    },
    crash(): void {
      // A refusal is kept in memory only; the engine still has some of what was refused.
      const left = new Set([...disk.engine.values()].flatMap(({ job }) => (job.endedAt === null ? [textOfJob(job.payload)] : [])));
      for (const one of sent) if (one.reply === "refused" && left.has(one.text)) one.isExcused = true;
      world.crash(hall.life);
      lives += 1;
      hall = open();
    },
  };
}

const textOfJob = (payload: unknown): string => {
  const { message } = payload as { message: Message }; // the engine's records here are all of messages
  return textIn(message);
};

/** A tool that waits for a person, and does not hear that its process is gone before the machine lets it. */
const askTool = (asked: Set<Asked>, world: World, life: Life): Tool => ({
  name: "ask",
  description: "Asks a person.",
  inputSchema: { type: "object" },
  readOnly: true,
  async call(_input, { signal, waitFor, recorded }) {
    await recorded();
    const answered = Promise.withResolvers<void>();
    const one = { answer: answered.resolve };
    asked.add(one);
    signal.addEventListener("abort", () => answered.reject(new Error("The run has ended.")), { once: true });
    try {
      await waitFor({ kind: "person", since: world.now(), approvalId: "apr_00000000000000000000000000" as never }, async () => {
        try {
          await answered.promise;
        } finally {
          await life.step();
        }
      });
      return { content: [{ type: "text", text: "Yes." }] };
    } finally {
      asked.delete(one);
    }
  },
});

export type StoredSession = { session: Session; messages: readonly Message[]; waiting: readonly Message[] };
export const storedOf = (stage: Pick<SessionsStage, "disk">): StoredSession[] =>
  [...stage.disk.sessions.sessions.values()].map((session) => ({
    session,
    messages: stage.disk.sessions.messages.get(session.id) ?? [],
    waiting: stage.disk.sessions.queues.get(session.id) ?? [],
  }));
