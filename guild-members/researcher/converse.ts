import { query } from "@anthropic-ai/claude-agent-sdk";
import type { Options, SDKAPIRetryMessage, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { createAgentProcess } from "./agent-process.ts";
import { startAwakeTimer } from "./awake-timer.ts";
import { findDeathSignal } from "./death-signal.ts";
import { endingOf, isAnswer, judgeRetry, RunResult, stalled } from "./ending.ts";
import type { Ending, Remains } from "./ending.ts";

export type Conversation = {
  prompt: string;
  options: Options;
  /** Ends it, with the process and all it started. */
  signal: AbortSignal;
  /** How long the model may say nothing. */
  stallMs: number;
  /** The agent hears its task when this resolves. */
  onSpawn?: (pid: number) => Promise<void>;
  onMessage?: (message: SDKMessage) => void;
};

/** Tools have limits of their own, so this is only for one that never comes back. */
const longestToolMs = 600_000;
/** On a machine that is busy with other agents. */
const longestStartMs = 60_000;
/** How long a process may take to go when all is said. */
const farewellMs = 5_000;

/** One conversation with the agent, in a process of its own that is gone when this resolves. */
export async function converse(conversation: Conversation): Promise<Ending> {
  const { prompt, options, signal, stallMs, onSpawn = () => Promise.resolve(), onMessage = () => undefined } = conversation;
  const deathSignal = await findDeathSignal();
  if (signal.aborted) return { kind: "stopped" };
  const child = createAgentProcess(onSpawn, deathSignal);
  const talk = query({ prompt, options: { ...options, spawnClaudeCodeProcess: child.spawn } });
  const remains: Omit<Remains, "exit" | "lastWords"> = { result: null, failure: null, resetsAt: null, isCutShort: false, thrown: null };
  const toolsAtWork = new Set<string>();
  let early: Ending | null = null;
  let isTalking = false;
  let stopping: Promise<void> | null = null;
  let stopClock: (() => void) | undefined;

  function endEarly(ending: Ending): void {
    if (early !== null || remains.result !== null) return;
    early = ending;
    // One that is still starting would hear an interruption only after its first call of the model.
    stopping = child.stop(isTalking ? () => talk.interrupt() : null);
  }
  const onAbort = () => endEarly({ kind: "stopped" });
  function wind(ms: number): void {
    stopClock?.();
    stopClock = startAwakeTimer(ms, () => {
      if (remains.result === null) endEarly(stalled(ms, toolsAtWork.size > 0 ? "A tool" : "The model"));
      else stopping ??= child.stop(null);
    });
  }

  function hear(message: SDKMessage): void {
    isTalking = true;
    noteTools(message, toolsAtWork);
    note(message, remains);
    // One that has answered is needed no longer, and takes its time to go by itself.
    if (remains.result !== null && isAnswer(remains.result)) stopping ??= child.stop(null);
    else if (remains.result !== null) wind(farewellMs);
    else wind(toolsAtWork.size > 0 ? longestToolMs : stallMs + (isRetry(message) ? message.retry_delay_ms : 0));
    // What the SDK says of our own interruption is no news, save for what it has cost.
    if (early !== null && message.type !== "result") return;
    const verdict = isRetry(message) ? judgeRetry(message, Date.now()) : null;
    if (verdict !== null) return endEarly(verdict);
    onMessage(message);
  }

  try {
    signal.addEventListener("abort", onAbort, { once: true });
    wind(Math.max(stallMs, longestStartMs));
    for await (const message of talk) hear(message);
  } catch (error) {
    // After each result that is an error the SDK throws too, and a process that dies shows only here.
    remains.thrown = error;
  } finally {
    stopClock?.();
    signal.removeEventListener("abort", onAbort);
    await (stopping ?? child.stop(null));
  }
  return early ?? endingOf({ ...remains, exit: child.exit(), lastWords: child.lastWords() });
}

export const isRetry = (message: SDKMessage): message is SDKAPIRetryMessage => message.type === "system" && message.subtype === "api_retry";

function note(message: SDKMessage, remains: Omit<Remains, "exit" | "lastWords">): void {
  if (message.type === "result") remains.result = RunResult.parse(message);
  if (message.type === "assistant" && message.error !== undefined) remains.failure = message.error;
  if (message.type === "stream_event" && message.event.type === "message_start") remains.isCutShort = true;
  // The last piece of a stream is no proof: the SDK makes one up where a stream broke off.
  if (message.type === "stream_event" && message.event.type === "message_delta" && message.event.delta.stop_reason !== null) {
    remains.isCutShort = false;
  }
  if (message.type === "rate_limit_event" && message.rate_limit_info.resetsAt !== undefined) {
    remains.resetsAt = new Date(message.rate_limit_info.resetsAt * 1000).toISOString();
  }
}

function noteTools(message: SDKMessage, atWork: Set<string>): void {
  if (message.type === "assistant") {
    for (const block of message.message.content) if (block.type === "tool_use") atWork.add(block.id);
  }
  if (message.type === "user" && typeof message.message.content !== "string") {
    for (const block of message.message.content) if (block.type === "tool_result") atWork.delete(block.tool_use_id);
  }
}
