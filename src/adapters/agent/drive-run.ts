import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEnding, AgentEvent, AgentRun } from "../../core/agent/agent-run.ts";
import type { AgentProcess } from "./agent-process.ts";
import { endingOf, stalledEnding } from "./ending.ts";
import type { Remains } from "./ending.ts";
import { judgeRetry } from "./judge-retry.ts";
import { SdkResult } from "./sdk-result.ts";
import type { ServedRun } from "./served-run.ts";
import { createTranslator } from "./translate-messages.ts";
import { createWatchdog } from "./watchdog.ts";
import type { Watchdog } from "./watchdog.ts";

export type Drive = {
  process: AgentProcess;
  run: AgentRun;
  emit: (event: AgentEvent) => void;
  /** Aborted when the run is to end; `endingOfStop` says as what. */
  stop: AbortSignal;
  endingOfStop: () => AgentEnding;
  /** Called once, when the process has done the costly part of its start. */
  onStarted: () => void;
  limits: { stallMs: number; longestRateLimitMs: number };
};

/** How long a process that has answered may take to go by itself. */
const farewellMs = 5_000;

/** Plays one run on a process until the process is gone, and says how it ended. */
export async function driveRun(drive: Drive): Promise<AgentEnding> {
  const { process, run, stop, limits } = drive;
  const ended = new AbortController();
  let early: AgentEnding | null = null;
  let stopping: Promise<void> = Promise.resolve();
  const endEarly = (ending: AgentEnding): void => {
    if (early !== null || remains.result !== null) return;
    early = ending;
    stopping = process.stop();
  };
  const remains: Remains = {
    result: null,
    errorClass: null,
    resetsAt: null,
    exit: null,
    stderr: "",
    thrown: null,
    maxTurns: run.limits.maxTurns,
  };
  const watchdog = createWatchdog(limits.stallMs, () => endEarly(stalledEnding(limits.stallMs)));
  const tools = createToolClock(watchdog);
  const translate = createTranslator(drive.emit);
  const onStop = () => endEarly(drive.endingOfStop());
  const served: ServedRun = {
    toolServers: run.toolServers,
    isOpen: () => early === null,
    signal: ended.signal,
    gate: createGate(drive, watchdog, ended.signal),
    toolStarts: tools.start,
  };
  let farewell: NodeJS.Timeout | undefined;

  try {
    stop.addEventListener("abort", onStop, { once: true });
    if (stop.aborted) return drive.endingOfStop();
    for await (const message of process.serve(served, run.prompt)) {
      watchdog.touch(message.type === "system" && message.subtype === "api_retry" ? message.retry_delay_ms : 0);
      if (message.type === "system" && message.subtype === "init") drive.onStarted();
      // What the SDK says about our own interruption is not news of the run.
      if (early !== null && message.type !== "result") continue;
      if (message.type === "system" && message.subtype === "api_retry") {
        const verdict = judgeRetry(message, limits.longestRateLimitMs, Date.now());
        if (verdict !== null) {
          endEarly(verdict);
          continue;
        }
      }
      note(message, remains);
      tools.finish(message);
      translate(message);
      if (message.type === "result") farewell = setTimeout(() => process.child.kill("SIGKILL"), farewellMs);
    }
  } catch (error) {
    // After each result that is an error the SDK throws as well, and a process that dies shows only here.
    remains.thrown = error;
  } finally {
    watchdog.end();
    clearTimeout(farewell);
    stop.removeEventListener("abort", onStop);
    await stopping;
    if (remains.result === null) await process.stop();
    await process.child.gone();
    ended.abort();
  }
  return early ?? endingOf({ ...remains, exit: process.child.exit(), stderr: process.child.stderr() });
}

/** Remembers what the ending will be made of. */
function note(message: SDKMessage, remains: Remains): void {
  if (message.type === "result") Object.assign(remains, { result: SdkResult.parse(message) });
  if (message.type === "assistant" && message.error !== undefined) Object.assign(remains, { errorClass: message.error });
  if (message.type === "rate_limit_event" && message.rate_limit_info.resetsAt !== undefined) {
    Object.assign(remains, { resetsAt: new Date(message.rate_limit_info.resetsAt * 1000).toISOString() });
  }
}

/** Stops the clock from the moment a tool may run until its result is there. */
function createToolClock(watchdog: Watchdog) {
  const running = new Map<string, () => void>();
  return {
    start: (id: string): void => void running.set(id, watchdog.pause()),
    finish(message: SDKMessage): void {
      if (message.type !== "user" || typeof message.message.content === "string") return;
      for (const block of message.message.content) {
        if (block.type !== "tool_result") continue;
        running.get(block.tool_use_id)?.();
        running.delete(block.tool_use_id);
      }
    },
  };
}

/** A gate that answers within this time decided by itself; after it, a person is being waited for. */
const ownDecisionMs = 100;

function createGate({ run, emit }: Drive, watchdog: Watchdog, ended: AbortSignal): ServedRun["gate"] {
  return async (call, signal) => {
    if (run.gate === undefined) return { allow: true };
    const resume = watchdog.pause();
    const waiting = setTimeout(() => emit({ type: "waiting", for: "person" }), ownDecisionMs);
    try {
      return await run.gate(call, AbortSignal.any([signal, ended]));
    } finally {
      clearTimeout(waiting);
      resume();
    }
  };
}
