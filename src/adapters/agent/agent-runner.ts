import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentEnding, AgentEvent, AgentRun, AgentRunner } from "../../core/agent/agent-run.ts";
import { createScrubber } from "../../core/guard/scrub.ts";
import { createSecretFilter } from "../../core/guard/secret-filter.ts";
import { dispose, prepareProcess } from "./agent-process.ts";
import type { AgentProcess } from "./agent-process.ts";
import { credentialsIn } from "./child-environment.ts";
import type { ChildEnvironment, ChildFolders } from "./child-environment.ts";
import type { ChildWatch } from "./child-process.ts";
import { clearFolder } from "./clear-folder.ts";
import { createEventBounds } from "./bound-events.ts";
import { createConversationLock } from "./conversation-lock.ts";
import { driveRun } from "./drive-run.ts";
import { brokenRun, interruptedEnding, isRefusedAsBegun, stoppedEnding } from "./ending.ts";
import { createEventChannel } from "./event-channel.ts";
import { createDeathSignal } from "../processes/death-signal.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import { readTranscript } from "./read-transcript.ts";
import { shapeOf } from "./process-shape.ts";
import type { ProcessShape } from "./process-shape.ts";
import { createEventScrubber } from "./scrub-events.ts";
import type { EventScrubber } from "./scrub-events.ts";
import { createWarmPool } from "./warm-pool.ts";

export type AgentRunnerDeps = {
  /** What `findBackend` found last; asked again for each process, since a person may connect another model meanwhile. */
  backend: () => { childEnv: ChildEnvironment; model?: string };
  /** Of the SDK processes alone. They are created when needed; the temporary one is emptied before the first run. */
  folders: ChildFolders;
  hostEnv: Readonly<Record<string, string | undefined>>;
  limits?: Partial<RunnerLimits>;
  /** Called with errors that do not end the run: the input of a tool was not checked, or the SDK offers tools that the run did not ask for. */
  onProblem?: (error: unknown) => void;
} & ChildWatch;

export type RunnerLimits = {
  /** Starting a process is nearly all computing: more of them than cores only hinder each other. */
  maxStarting: number;
  stallMs: number;
  maxRetries: number;
  /** A usage limit that resets later than this ends the run. */
  longestRateLimitMs: number;
  warmCount: number;
  warmMs: number;
};

const defaultLimits = (): RunnerLimits => ({
  maxStarting: availableParallelism(),
  stallMs: 120_000,
  maxRetries: 5,
  longestRateLimitMs: 30_000,
  warmCount: 4,
  warmMs: 5 * 60_000,
});

const lookMs = 15;
const longestLookMs = 10_000;

/** Runs agents on the Claude Agent SDK, each in a process of its own. */
export function createAgentRunner(deps: AgentRunnerDeps): AgentRunner {
  const limits = { ...defaultLimits(), ...deps.limits };
  const starts = createFairQueue(limits.maxStarting);
  const deathSignal = createDeathSignal(deps.hostEnv);
  const conversations = createConversationLock();
  const live = new Set<Promise<void>>();
  const closing = new AbortController();
  let cleared: Promise<unknown> | undefined;

  const prepare = async (shape: ProcessShape): Promise<AgentProcess> => {
    // Whatever is there belongs to processes of a hall that is gone: two halls never share a folder.
    const { temporary, config } = deps.folders;
    await (cleared ??= Promise.all([temporary, join(config, "sessions")].map(clearFolder)));
    const { folders, hostEnv: host, onProblem } = deps;
    return prepareProcess({ folders, host, maxRetries: limits.maxRetries, watch: deps, deathSignal, onProblem }, shape);
  };

  const pool = createWarmPool(limits, async (shape, signal) => {
    const started = await starts.acquire("warm", signal);
    try {
      return await warmUp(await prepare(shape), signal);
    } finally {
      started();
    }
  });

  const withModel = <Run extends Omit<AgentRun, "prompt" | "signal">>(run: Run): Run => {
    const { model } = deps.backend();
    return run.model === undefined && model !== undefined ? { ...run, model } : run;
  };

  const transcriptOf = ({ folders: { cwd }, conversation }: Pick<AgentRun, "conversation" | "folders">) =>
    readTranscript(deps.backend().childEnv["CLAUDE_CONFIG_DIR"] ?? deps.folders.config, cwd, conversation);

  /** The SDK writes a call into its transcript a moment after it asks about it. */
  const recordedIn =
    (run: AgentRun) =>
    async (callId: string): Promise<void> => {
      for (let waitedMs = 0; run.isResumable === true; waitedMs += lookMs) {
        if ((await transcriptOf(run)).calls.some(({ id }) => id === callId)) return;
        if (waitedMs > longestLookMs) throw new Error("The call could not be recorded. Make it again.");
        await pause(lookMs);
      }
    };

  const play = async (run: AgentRun, emit: (event: AgentEvent) => void, stop: AbortSignal): Promise<AgentEnding> => {
    const endingOfStop = () => (closing.signal.aborted ? interruptedEnding() : stoppedEnding());
    const releases: (() => void)[] = [];
    let process: AgentProcess | null = null;
    let scrubbed: EventScrubber | undefined;
    try {
      if (run.conversation !== null) releases.push(await conversations.acquire(run.conversation.id, stop));
      const shape = shapeOf(run, deps.backend().childEnv);
      process = run.warmKey === undefined ? null : await pool.take(run.warmKey, shape, stop);
      if (run.conversation !== null) await pool.dropConversation(run.conversation.id);
      const started = process === null ? await starts.acquire("run", stop) : () => undefined;
      releases.push(started);
      process ??= await prepare(shape);
      scrubbed = createEventScrubber(createEventBounds(emit), credentialsIn(shape.backend));
      const drive = {
        run,
        emit: scrubbed.emit,
        stop,
        endingOfStop,
        onStarted: started,
        limits,
        recorded: recordedIn(run),
        onProblem: deps.onProblem,
      };
      const ending = await driveRun({ ...drive, process });
      if (run.conversation === null || !isRefusedAsBegun(ending, process.child)) return ending;
      await dispose(process);
      process = await prepare({ ...shape, conversation: { ...run.conversation, resume: true } });
      return await driveRun({ ...drive, process });
    } catch (error) {
      if (stop.aborted) return endingOfStop();
      return brokenRun(error);
    } finally {
      scrubbed?.flush();
      // Room is given back when the process is gone, and only then.
      await dispose(process).finally(() => releases.toReversed().forEach((release) => release()));
    }
  };

  /** What the model or the SDK said may repeat a credential. */
  const worded = (ending: AgentEnding): AgentEnding => {
    const secrets = credentialsIn(deps.backend().childEnv);
    if (ending.outcome === "completed") return { ...ending, text: createSecretFilter(secrets).whole(ending.text) };
    if (ending.outcome === "parked") return ending;
    return { ...ending, message: createScrubber(secrets)(ending.message) };
  };

  return {
    async *run(given) {
      if (closing.signal.aborted) {
        yield { type: "ended", ending: interruptedEnding() };
        return;
      }
      const run = withModel(given);
      const events = createEventChannel<AgentEvent>();
      const stop = new AbortController();
      const played = play(run, events.push, AbortSignal.any([stop.signal, run.signal, closing.signal]));
      const over = played.catch(brokenRun).then((ending) => {
        live.delete(over);
        events.push({ type: "ended", ending: worded(ending) });
        events.close();
      });
      live.add(over);
      try {
        yield* events;
      } finally {
        // Whoever stops reading has no use for the run.
        stop.abort();
        await over;
      }
    },
    async warm(run, warmKey) {
      if (!closing.signal.aborted) await pool.add(warmKey, shapeOf(withModel(run), deps.backend().childEnv));
    },
    dropWarm: (warmKey) => pool.drop(warmKey),
    transcript: transcriptOf,
    async close() {
      const interrupted = closing.signal.aborted ? 0 : live.size;
      closing.abort();
      await Promise.all([pool.close(), ...live]);
      return { interrupted };
    },
  };
}

async function warmUp(process: AgentProcess, signal: AbortSignal): Promise<AgentProcess> {
  const end = () => void process.stop();
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    await process.warmUp();
    signal.throwIfAborted();
    return process;
  } catch (error) {
    await dispose(process);
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
