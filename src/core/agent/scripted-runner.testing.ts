import type { SdkSessionId } from "../../schema/ids.ts";
import { copyOf } from "../world.testing.ts";
import type { Life, World } from "../world.testing.ts";
import type { AgentEnding, AgentEvent, AgentRun, AgentRunner, Tool, ToolResult, Transcript } from "./agent-run.ts";

/** What the model of a process does next. Calls of one response run side by side. */
export type ModelStep =
  | { say: string }
  | { call: { name: string; input: unknown }[] }
  | { end: Exclude<AgentEnding, { outcome: "parked" }> };

/** A process that waits for its next step. */
export type ModelProcess = {
  run: AgentRun;
  /** Prompts of the conversation, this one included. */
  prompts: number;
  /** True from the moment it waits for what the model does next. */
  isIdle(): boolean;
  give(step: ModelStep): void;
};

type Conversation = { prompts: string[]; calls: { id: string; name: string; input: unknown }[]; ending: string | null };
export type Conversations = Map<SdkSessionId, Conversation>;

const responseCostUsd = 0.25;

/** A runner without processes: a test says what the model does, step by step. Conversations outlive a crash, but for their last moments. */
export function createScriptedRunner({ world, life, kept }: { world: World; life: Life; kept: Conversations }) {
  const live = new Set<ModelProcess>();
  let isClosed = false;
  let ids = 0;
  let mostAtOnce = 0;
  const atWork = new Set<ModelProcess>();

  const conversationOf = (id: SdkSessionId): Conversation => {
    const known = kept.get(id) ?? { prompts: [], calls: [], ending: null };
    kept.set(id, known);
    return known;
  };

  async function* play(run: AgentRun): AsyncGenerator<AgentEvent, void, void> {
    const gone = new AbortController();
    const stop = AbortSignal.any([run.signal, gone.signal]);
    const conversation = run.conversation === null ? { prompts: [], calls: [], ending: null } : conversationOf(run.conversation.id);
    let next: PromiseWithResolvers<ModelStep> | null = null;
    let turns = 0;
    let costUsd = 0;
    const process: ModelProcess = {
      run,
      prompts: conversation.prompts.length + 1,
      isIdle: () => next !== null,
      give(step) {
        next?.resolve(step);
        next = null;
      },
    };
    const stopped = new Promise<"stopped">((resolve) => {
      stop.addEventListener("abort", () => resolve("stopped"), { once: true });
      if (stop.aborted || isClosed) resolve("stopped");
    });
    closing.push(() => gone.abort());
    live.add(process);
    work(true);
    const orStopped = <Value>(value: Promise<Value>): Promise<Value | "stopped"> => Promise.race([value, stopped]);

    function work(isAtWork: boolean): void {
      if (isAtWork) atWork.add(process);
      else atWork.delete(process);
      mostAtOnce = Math.max(mostAtOnce, atWork.size);
    }

    /** The transcript comes to the disk a while later. */
    const write = async (entry: () => void): Promise<void> => {
      await life.step();
      entry();
    };

    const stoppedEnding = (): AgentEvent => {
      const isOfHall = isClosed && !run.signal.aborted;
      const code = isOfHall ? "interrupted" : "stopped";
      return { type: "ended", ending: { outcome: "failed", code, message: "Stopped." } };
    };

    try {
      if ((await orStopped(life.step())) === "stopped") return yield stoppedEnding();
      yield { type: "started", model: "scripted", tools: [] };
      const prompted = write(() => {
        conversation.prompts.push(run.promptId ?? "");
        conversation.ending = null;
      });
      for (;;) {
        next = Promise.withResolvers<ModelStep>();
        const step = await orStopped(next.promise);
        next = null;
        if (step === "stopped") return yield stoppedEnding();
        turns += 1;
        const responseId = `r${(ids += 1)}-${world.below(1e9)}`;
        if (!("end" in step && step.end.outcome === "failed")) {
          costUsd += responseCostUsd;
          yield { type: "usage", inputTokens: 1, outputTokens: 1, costUsd, turns };
        }
        if ("say" in step) yield { type: "text", responseId, text: step.say };
        else if ("end" in step) {
          const { end } = step;
          if (end.outcome === "completed") {
            yield { type: "text", responseId, text: end.text };
            await prompted;
            await write(() => void (conversation.ending = end.text));
          }
          if (run.signal.aborted) return yield stoppedEnding();
          return yield { type: "ended", ending: end };
        } else {
          const calls = step.call.map((call) => ({ ...call, id: `c${(ids += 1)}-${world.below(1e9)}` }));
          for (const { id, name, input } of calls) yield { type: "tool_use", responseId, id, name, input };
          work(false);
          const recorded = prompted.then(() => write(() => void conversation.calls.push(...calls)));
          const results = channel<{ id: string; result: ToolResult }>();
          for (const call of calls) {
            void callTool(run, call, stop, () => recorded).then((result) => results.push({ id: call.id, result }));
          }
          let parks = false;
          for (let left = calls.length; left > 0; left -= 1) {
            const result = await orStopped(results.take());
            if (result === "stopped") return yield stoppedEnding();
            parks ||= result.result.parks === true && result.result.isError !== true;
            // A process that is being stopped asks the model for nothing more.
            if (left === 1 && !parks && !stop.aborted) work(true);
            yield { type: "tool_result", id: result.id, content: result.result.content, isError: result.result.isError === true };
          }
          await recorded;
          if (run.signal.aborted) return yield stoppedEnding();
          if (parks) return yield { type: "ended", ending: { outcome: "parked" } };
        }
      }
    } finally {
      work(false);
      live.delete(process);
      gone.abort();
    }
  }

  const closing: (() => void)[] = [];

  const runner: AgentRunner = {
    run: play,
    warm: async () => undefined,
    dropWarm: async () => undefined,
    transcript: ({ conversation }) =>
      life.read((): Transcript => {
        const known = conversation === null ? undefined : kept.get(conversation.id);
        return { prompts: new Set(known?.prompts), calls: copyOf(known?.calls ?? []), ending: known?.ending ?? null, preface: null };
      }),
    async close() {
      isClosed = true;
      const interrupted = live.size;
      for (const end of closing) end();
      return { interrupted };
    },
  };
  return {
    runner,
    processes: (): ModelProcess[] => [...live],
    /** Those that use the model at this moment, and the most there ever were. */
    atWork: () => ({ now: atWork.size, most: mostAtOnce }),
  };
}

async function callTool(
  run: AgentRun,
  { id, name, input }: { id: string; name: string; input: unknown },
  signal: AbortSignal,
  recorded: () => Promise<void>,
): Promise<ToolResult> {
  const context = { signal, callId: id, waitFor: <Result>(_what: unknown, work: () => Promise<Result>) => work(), recorded };
  const decision = (await run
    .gate?.({ id, name, input }, context)
    .catch((error: unknown) => ({ allow: false as const, reason: String(error) }))) ?? {
    allow: true,
  };
  if (!decision.allow) return { ...failure(decision.reason), ...("parks" in decision ? { isError: false, parks: true } : {}) };
  const tool = toolOf(run, name);
  if (tool === undefined) return { content: [{ type: "text", text: `${name} ran.` }] };
  return tool.call(decision.input ?? input, context).catch((error: unknown) => failure(String(error)));
}

const toolOf = (run: AgentRun, name: string): Tool | undefined =>
  run.toolServers
    .flatMap((server) => server.tools.map((tool) => ({ server, tool })))
    .find(({ server, tool }) => `mcp__${server.name}__${tool.name}` === name)?.tool;

const failure = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true });

function channel<Value>() {
  const values: Value[] = [];
  let asked: ((value: Value) => void) | null = null;
  return {
    push(value: Value): void {
      if (asked === null) return void values.push(value);
      asked(value);
      asked = null;
    },
    take: (): Promise<Value> => {
      const value = values.shift();
      return value === undefined ? new Promise((resolve) => void (asked = resolve)) : Promise.resolve(value);
    },
  };
}
