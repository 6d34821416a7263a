import type { SDKAPIRetryMessage, SDKMessage, SDKSystemMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEnding, AgentEvent, AgentRun } from "../../core/agent/agent-run.ts";
import { maxAnswerCharacters } from "../../core/run/message-budget.ts";
import { wellFormed } from "../../schema/well-formed.ts";
import type { AgentProcess } from "./agent-process.ts";
import { endingOf, endlessAnswer, missingTools, stalledEnding } from "./ending.ts";
import { createWrappedTools } from "./input-wrapping.ts";
import { judgeRetry } from "./judge-retry.ts";
import { compareTools } from "./offered-tools.ts";
import { createRunRecord } from "./run-record.ts";
import type { ServedRun } from "./served-run.ts";
import { createGateWatch, createToolClock } from "./tool-clock.ts";
import { createTranslator } from "./translate-messages.ts";
import { createUsageMeter } from "./usage-meter.ts";
import { createWatchdog } from "./watchdog.ts";

export type Drive = {
  process: AgentProcess;
  run: AgentRun;
  emit: (event: AgentEvent) => void;
  /** Aborted when the run is to end; `endingOfStop` says as what. */
  stop: AbortSignal;
  endingOfStop: () => AgentEnding;
  /** Called when the process has done the costly part of its start, and at any time after. */
  onStarted: () => void;
  limits: { stallMs: number; longestRateLimitMs: number };
  /** Resolves when a call is in the transcript. */
  recorded: ServedRun["recorded"];
  /** Called with problems of the process that do not end the run. */
  onProblem?: ((error: unknown) => void) | undefined;
};

/** How long a process that has answered may take to go by itself. */
const farewellMs = 5_000;
/** A process goes on computing after it says that it began; it has done so when the model answers, and at the latest after this. */
const settlingMs = 500;

/** Far more than a model can say in one response. Reading on would cost money and memory. */
const longestAnswer = 4 * maxAnswerCharacters;

/** Plays one run on a process until the process is gone, and says how it ended. */
export async function driveRun({
  process,
  run,
  emit,
  stop,
  endingOfStop,
  onStarted,
  limits,
  recorded,
  onProblem,
}: Drive): Promise<AgentEnding> {
  const record = createRunRecord();
  const ended = new AbortController();
  let early: AgentEnding | null = null;
  let stopping: Promise<void> = Promise.resolve();
  const endEarly = (ending: AgentEnding): void => {
    if (early !== null || record.hasResult()) return;
    early = ending;
    // An interruption would be written into the conversation as the end of the turn.
    if (run.isResumable === true && ending.outcome === "failed" && ending.code === "interrupted") process.child.kill("SIGKILL");
    stopping = process.stop();
  };
  const onStop = () => endEarly(endingOfStop());

  const watchdog = createWatchdog(limits.stallMs, () => endEarly(stalledEnding(limits.stallMs)));
  const toolClock = createToolClock(watchdog);
  let answer = { responseId: "", length: 0 };
  const wrapped = createWrappedTools(run.toolServers);
  let turns = 0;
  const translate = createTranslator((event) => {
    if (event.type === "text") {
      const { responseId, text } = event;
      answer = { responseId, length: (answer.responseId === responseId ? answer.length : 0) + text.length };
      if (answer.length > longestAnswer) endEarly(endlessAnswer(longestAnswer));
    }
    if (event.type === "tool_use") emit({ ...event, input: wrapped.shown(event.name, event.input) });
    // In its last figure the SDK counts results of tools as turns too.
    else emit(event.type === "usage" && turns > 0 ? { ...event, turns } : event);
  });
  const meter = createUsageMeter((event) => {
    if (event.type === "usage") ({ turns } = event);
    emit(event);
  });
  let isParking = false;
  const served: ServedRun = {
    toolServers: run.toolServers,
    isOpen: () => early === null,
    signal: ended.signal,
    gate: createGateWatch(run.gate, watchdog, { ended: ended.signal, recorded }),
    recorded,
    parks: () => void (isParking = true),
    toolStarts: toolClock.start,
  };
  /** The process says at each turn which tools it offers. */
  const reported = new Set<string>();
  const checkTools = ({ tools }: SDKSystemMessage): void => {
    const { missing, extra } = compareTools(run, tools);
    if (missing.length > 0) endEarly(missingTools(missing));
    const unreported = extra.filter((name) => !reported.has(name));
    if (unreported.length === 0) return;
    unreported.forEach((name) => reported.add(name));
    onProblem?.(new Error(`The Agent SDK offers tools that a run did not ask for; calls are refused: ${unreported.join(", ")}`));
  };
  const hear = (message: SDKMessage): void => {
    watchdog.touch(isRetry(message) ? message.retry_delay_ms : 0);
    if (isInit(message)) {
      settling ??= setTimeout(onStarted, settlingMs);
      checkTools(message);
    }
    if (message.type !== "system" || isRetry(message)) onStarted();
    // What the SDK says about our own interruption is not news of the run, save for what it has cost.
    if (early !== null && message.type !== "result") return;
    const verdict = isRetry(message) ? judgeRetry(message, limits.longestRateLimitMs, Date.now()) : null;
    if (verdict !== null) return endEarly(verdict);
    record.note(message);
    toolClock.finish(message);
    translate(message);
    meter(message);
  };

  let settling: NodeJS.Timeout | undefined;
  let farewell: NodeJS.Timeout | undefined;
  let thrown: unknown = null;
  try {
    stop.addEventListener("abort", onStop, { once: true });
    if (stop.aborted) return endingOfStop();
    for await (const message of process.serve(served, run)) {
      hear(message);
      if (record.hasResult()) farewell ??= setTimeout(() => process.child.kill("SIGKILL"), farewellMs);
    }
  } catch (error) {
    // After each result that is an error the SDK throws as well, and a process that dies shows only here.
    thrown = error;
  } finally {
    watchdog.end();
    stop.removeEventListener("abort", onStop);
    await stopping;
    if (!record.hasResult()) await process.stop();
    await process.child.gone();
    clearTimeout(farewell);
    clearTimeout(settling);
    ended.abort();
  }
  const { child } = process;
  return wellFormed(
    early ??
      endingOf({
        ...record.told(),
        thrown,
        exit: child.exit(),
        stderr: child.stderr(),
        maxTurns: run.limits.maxTurns,
        isParking,
      }),
  );
}

const isInit = (message: SDKMessage): message is SDKSystemMessage => message.type === "system" && message.subtype === "init";
const isRetry = (message: SDKMessage): message is SDKAPIRetryMessage => message.type === "system" && message.subtype === "api_retry";
