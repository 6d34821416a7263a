import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentEvent, AgentRun } from "../../core/agent/agent-run.ts";
import type { AgentProcess } from "./agent-process.ts";
import { driveRun } from "./drive-run.ts";
import { stoppedEnding } from "./ending.ts";
import { createEventChannel } from "./event-channel.ts";
import type { ServedRun } from "./served-run.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process in our hands: what it says, and when it goes, is up to the test. */
function setHand(change: Partial<AgentRun> = {}) {
  const messages = createEventChannel<SDKMessage>();
  const gone = Promise.withResolvers<void>();
  const stopped = vi.fn<() => void>();
  const signals: string[] = [];
  const hand = { served: null as ServedRun | null };
  const leave = () => {
    messages.close();
    gone.resolve();
  };
  const process: AgentProcess = {
    child: {
      spawn: () => {
        throw new Error("Nothing is started here.");
      },
      pid: () => 1,
      stderr: () => "",
      exit: () => ({ code: 0, signal: null }),
      gone: () => gone.promise,
      kill: (signal) => {
        signals.push(signal);
        leave();
      },
    },
    warmUp: () => Promise.resolve(),
    serve(run) {
      hand.served = run;
      return messages;
    },
    stop: () => {
      stopped();
      leave();
      return gone.promise;
    },
    settle: () => Promise.resolve(),
  };
  const stop = new AbortController();
  const run: AgentRun = {
    prompt: "hello",
    systemPrompt: "",
    builtInTools: [],
    toolServers: [],
    folders: { cwd: "/", read: [], write: [] },
    limits: { maxTurns: 3 },
    conversation: null,
    signal: stop.signal,
    ...change,
  };
  const events: AgentEvent[] = [];
  const problems: unknown[] = [];
  const ending = driveRun({
    process,
    run,
    emit: (event) => events.push(event),
    stop: stop.signal,
    endingOfStop: stoppedEnding,
    onStarted: () => undefined,
    limits: { stallMs: 1_000, longestRateLimitMs: 30_000 },
    recorded: () => Promise.resolve(),
    onProblem: (error) => problems.push(error),
  });
  // Messages as they come off the wire, with only the fields that are read.
  const say = (message: object) => messages.push(message as SDKMessage);
  return { ending, events, problems, hand, stop, stopped, signals, say, leave };
}

const toolResult = (id: string) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id }] },
  parent_tool_use_id: null,
});
const success = { type: "result", subtype: "success", is_error: false, result: "Done.", num_turns: 1 };

describe("the clock for silence", () => {
  it("ends a run that says nothing", async () => {
    const { ending, stopped } = setHand();

    await vi.advanceTimersByTimeAsync(1_000);

    expect(await ending).toMatchObject({ code: "model_stalled" });
    expect(stopped).toHaveBeenCalled();
  });

  it("stands still while a tool runs, and goes on when its result is there", async () => {
    const { ending, hand, say, stopped } = setHand();
    say({ type: "system", subtype: "status" });
    await vi.advanceTimersByTimeAsync(1);

    hand.served?.toolStarts("t1");
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(stopped).not.toHaveBeenCalled();
    say(toolResult("t1"));
    await vi.advanceTimersByTimeAsync(1_001);

    expect(await ending).toMatchObject({ code: "model_stalled" });
  });

  it("stands still while a person is asked", async () => {
    const answer = Promise.withResolvers<{ allow: true }>();
    const { ending, hand, say, stopped, leave } = setHand({ gate: () => answer.promise });
    await vi.advanceTimersByTimeAsync(1);

    const decision = hand.served?.gate({ id: "t1", name: "x", input: {} }, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(1_000_000);
    answer.resolve({ allow: true });
    await decision;
    say(success);
    leave();

    expect(await ending).toEqual({ outcome: "completed", text: "Done." });
    expect(stopped).not.toHaveBeenCalled();
  });

  it("allows for the wait before a retry", async () => {
    const { ending, say, stopped } = setHand();

    say({
      type: "system",
      subtype: "api_retry",
      attempt: 1,
      max_retries: 5,
      retry_delay_ms: 20_000,
      error_status: 500,
      error: "server_error",
    });
    await vi.advanceTimersByTimeAsync(20_999);
    expect(stopped).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);

    expect(await ending).toMatchObject({ code: "model_stalled" });
  });
});

describe("the tools that the SDK offers to the model", () => {
  it("end the run if one is missing, and each is logged once if there are more", async () => {
    const { ending, events, problems, say, stopped } = setHand({ builtInTools: ["Read", "Grep"] });

    for (const tools of [["Bash"], ["Bash"], ["Bash", "Task"]])
      say({ type: "system", subtype: "init", model: "m", tools: ["Grep", "Read", ...tools] });
    await vi.advanceTimersByTimeAsync(1);
    const isStopped = stopped.mock.calls.length > 0;
    say({ type: "system", subtype: "init", model: "m", tools: ["Read"] });

    expect(await ending).toMatchObject({ code: "tool_missing", message: expect.stringContaining('did not offer "Grep" to') as string });
    expect(isStopped).toBe(false);
    expect(problems.map(String)).toEqual([
      expect.stringMatching(/did not ask for; calls are refused: Bash$/),
      expect.stringMatching(/did not ask for; calls are refused: Task$/),
    ]);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["started"]));
  });
});

describe("the end", () => {
  it("is the first one: a stop that comes after the result changes nothing", async () => {
    const { ending, say, stop, leave } = setHand();

    say(success);
    await vi.advanceTimersByTimeAsync(1);
    stop.abort();
    leave();

    expect(await ending).toEqual({ outcome: "completed", text: "Done." });
  });

  it("closes the run for tools at once, and what the SDK says about it is no event", async () => {
    const { ending, events, hand, say, stop } = setHand();
    await vi.advanceTimersByTimeAsync(1);

    stop.abort();
    const isOpen = hand.served?.isOpen();
    say(toolResult("t1"));

    expect(await ending).toMatchObject({ code: "stopped" });
    expect(isOpen).toBe(false);
    expect(hand.served?.signal.aborted).toBe(true);
    expect(events).toEqual([]);
  });

  it("does not wait for ever for a process that has answered and stays", async () => {
    const { ending, say, signals } = setHand();

    say(success);
    await vi.advanceTimersByTimeAsync(5_000);

    expect(await ending).toEqual({ outcome: "completed", text: "Done." });
    expect(signals).toEqual(["SIGKILL"]);
  });
});
