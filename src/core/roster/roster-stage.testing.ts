import { HallError } from "../../schema/hall-error.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { MemberName } from "../../schema/ids.ts";
import { Manifest } from "../../schema/manifest.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import type { ToolCall } from "../../schema/tool-call.ts";
import type { ToolResult } from "../agent/agent-run.ts";
import type { AcceptedTool } from "./accepted-tools.ts";
import type { FoundMember } from "./member-folders.ts";
import type { MemberProgram, MemberWatch } from "./member-launcher.ts";
import { createRoster } from "./roster.ts";

/** A life that does what the test says, when it says so. */
export type StageLife = {
  program: MemberProgram;
  watch: MemberWatch;
  /** Set when the hall wants it to end; it is gone when the test calls it, or at once where `endsAtOnce`. */
  isEnding: boolean;
  isOver(): boolean;
  calls: { tool: string; input: unknown; signal: AbortSignal }[];
  /** What it was asked as a worker. */
  asked: { method: string; params: unknown }[];
  connect(...tools: ToolDefinition[]): void;
  crash(reason?: string): void;
  letGo(): void;
};

type Answer = (tool: string, input: unknown, signal: AbortSignal) => Promise<ToolResult>;
type WorkerAnswer = (method: string, params: Readonly<Record<string, unknown>>) => unknown;

/** A roster over ports in memory, with a clock that the test moves. */
export function setRosterStage(
  members: FoundMember[] = [],
  { answer = echo, endsAtOnce = true, answerJobs = () => ({}) }: { answer?: Answer; endsAtOnce?: boolean; answerJobs?: WorkerAnswer } = {},
) {
  const lives: StageLife[] = [];
  const events: HallEvent[] = [];
  const problems: unknown[] = [];
  const history: ToolCall[] = [];
  const records = new Map<string, readonly AcceptedTool[]>();
  const timers = new Set<{ at: number; work: () => void }>();
  let clock = Date.parse("2026-01-01T00:00:00.000Z");
  let tellChange: () => void = () => undefined;
  let found = members;
  let removingFails: Error | null = null;
  let hashedTools = 0;
  let mayWrite = Promise.resolve();

  const roster = createRoster({
    launcher: {
      launch(program, watch) {
        const life = createStageLife(program, watch, endsAtOnce);
        lives.push(life.stage);
        return {
          call: (tool, input, signal) => life.call(tool, input, signal, answer),
          async askWorker(method, params) {
            life.stage.asked.push({ method, params });
            return answerJobs(method, params);
          },
          workerOffers: () => ({ events: true, artifacts: true }),
          end: life.end,
        };
      },
      endOrphans: async () => 0,
    },
    folders: {
      scan: async () => found,
      watch: (onChange) => {
        tellChange = onChange;
        return () => undefined;
      },
      add: async (manifest) => void (found = [...found, { ...member(manifest.name), manifest, problem: null }]),
      async remove(folder) {
        if (removingFails !== null) throw removingFails;
        found = found.filter((each) => each.folder !== folder);
        return { movedTo: "elsewhere" };
      },
    },
    accepted: {
      read: async (name) => ([...(records.get(name) ?? [])].length === 0 && !records.has(name) ? null : [...(records.get(name) ?? [])]),
      async write(name, tools) {
        await mayWrite;
        records.set(name, tools);
      },
      forget: async (name) => void records.delete(name),
    },
    calls: {
      add: async (call) => void history.unshift(call),
      list: async () => ({ calls: history, nextCursor: null }),
      remove: async (id) => history.some((call) => call.id === id),
    },
    hashOf(definition) {
      hashedTools += 1;
      return JSON.stringify(definition);
    },
    checkInput: (schema, input) =>
      "must" in schema && !(String(schema["must"]) in Object(input)) ? [{ path: String(schema["must"]), message: "is missing" }] : [],
    publish: (event) => events.push(event),
    now: () => clock,
    schedule(ms, work) {
      const timer = { at: clock + ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onProblem: (error) => problems.push(error),
  });

  return {
    roster,
    lives,
    events,
    problems,
    history,
    records,
    /** The lives of one member, oldest first. */
    livesOf: (name: string) => lives.filter(({ program }) => program.name === name),
    /** Lets promises that are due be carried out. */
    settle,
    async pass(ms: number): Promise<void> {
      const until = clock + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        clock = Math.max(clock, next.at);
        timers.delete(next);
        next.work();
        await settle();
      }
      clock = until;
    },
    hashed: () => hashedTools,
    /** What is accepted is written when what this answers is called. */
    slowRecords(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      mayWrite = promise;
      return resolve;
    },
    failRemoving: (error: Error) => (removingFails = error),
    /** As `putFolders`, but nobody notices. */
    changeUnseen: (now: FoundMember[]) => (found = now),
    async putFolders(now: FoundMember[]): Promise<void> {
      found = now;
      tellChange();
      await settle();
    },
    async start(): Promise<void> {
      await roster.look();
      roster.start();
      await settle();
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

const echo: Answer = async (tool, input) => ({ content: [{ type: "text", text: `${tool} ${JSON.stringify(input)}` }] });

function createStageLife(program: MemberProgram, watch: MemberWatch, endsAtOnce: boolean) {
  let isOver = false;
  let gone: () => void = () => undefined;
  const whenGone = new Promise<void>((resolve) => (gone = resolve));
  const finish = (reason: string | null) => {
    if (isOver) return;
    isOver = true;
    watch.onEnded(reason);
    gone();
  };
  const stage: StageLife = {
    program,
    watch,
    isEnding: false,
    isOver: () => isOver,
    calls: [],
    asked: [],
    connect: (...tools) => watch.onTools(tools, []),
    crash: (reason = "The program ended with code 1.") => finish(reason),
    letGo: () => finish(null),
  };
  return {
    stage,
    async call(tool: string, input: unknown, signal: AbortSignal, answer: Answer): Promise<ToolResult> {
      if (isOver) throw new HallError("member_unavailable", "It is gone.");
      stage.calls.push({ tool, input, signal });
      return answer(tool, input, signal);
    },
    end(): Promise<void> {
      stage.isEnding = true;
      if (endsAtOnce) finish(null);
      return whenGone;
    },
  };
}

/** A folder with a manifest that is right, changed as told. */
export function member(
  name: string,
  { folder = name, origin = "added", ...change }: Partial<Manifest> & Partial<Pick<FoundMember, "folder" | "origin">> = {},
): FoundMember {
  const manifest = Manifest.parse({
    name: MemberName.parse(name),
    displayName: name.toUpperCase(),
    description: "A member of the test.",
    version: "1.0.0",
    transport: "stdio",
    mcp: { command: "node", args: ["server.ts"] },
    ...change,
  });
  return { folder, path: `/guild-members/${folder}`, origin, manifest, problem: null };
}

export const tool = (name: string, change: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object" },
  ...change,
});
