import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { allow, endTurn, look, park, step, work, writing } from "./stage-tools.ts";
import type { ToolCall } from "./stage-tools.ts";
import { setStage, toolResults, until } from "./stage.ts";
import type { Gate } from "./stage.ts";

const stopped = { subtype: "success", is_error: false, terminal_reason: "hook_stopped", stop_reason: "tool_use", result: "" };
const ended = { ...stopped, terminal_reason: "completed" };

const denial = (tool: string) => `PreToolUse:mcp__work__${tool} hook error: Ask later.`;
const stopNote = (tool: string, event = "PreToolUse") => `system: ${event}:mcp__work__${tool} hook stopped continuation: It waits.`;
const next = "user: And now?";

describe.concurrent("a hook that denies a call with continue: false", () => {
  const parks =
    (number: number): Gate =>
    ({ tool_input: { n } }) =>
      n === number ? park("Ask later.") : allow();

  it("ends the turn as a success without words and without a further request, and the process goes", async (context) => {
    const { start } = await setStage(context, [{ tools: [step(1)] }]);

    const run = start("Go.", { ...work(), gate: parks(1) });
    await until(() => run.messages.some(({ type }) => type === "result"));
    const isGone = await Promise.race([run.child.gone().then(() => true), sleep(5000, false)]);
    const { result, error, shown } = await run.played;

    expect(isGone).toBe(true);
    expect(result).toMatchObject({ ...stopped, permission_denials: [{ tool_name: "mcp__work__step" }] });
    expect(error).toBeNull();
    expect(shown).toHaveLength(1);
  });

  it("leaves a conversation that goes on: the model sees the denial as the result of the call, and the stop reason", async (context) => {
    const { play } = await setStage(context, [{ tools: [step(1)] }, { text: "Done." }]);
    const { id } = await play("Go.", { ...work(), gate: parks(1) });

    const { result, shown } = await play("And now?", { ...work(), resume: id });

    expect(result).toMatchObject({ terminal_reason: "completed", result: "Done." });
    expect(shown).toEqual([["user: Go.", "call step 1", `error of step 1: ${denial("step")}`, next, stopNote("step")]]);
  });

  it("does not stop the later calls of the message: each is asked about and runs before the turn ends", async (context) => {
    const calls = [step(1), step(2), writing("a.txt", "text"), look(3)];
    const { play, cwd } = await setStage(context, [{ tools: calls }, { text: "Done." }]);
    const asked: string[] = [];
    const gate: Gate = (call, signal) => {
      asked.push(call.tool_name);
      return parks(1)(call, signal);
    };

    const { id, result } = await play("Go.", { tools: ["Write"], ...work(), gate });
    const { shown } = await play("And now?", { resume: id });

    expect(asked).toEqual(calls.map(({ name }) => name));
    expect(await readdir(cwd)).toEqual(["a.txt"]);
    expect(result).toMatchObject(stopped);
    expect(shown[0]?.slice(5)).toEqual([
      `error of step 1: ${denial("step")}`,
      "result of step 2: did 2",
      expect.stringMatching(/^result of Write a.txt text: File created successfully at: a.txt/),
      "result of look 3: did 3",
      next,
      stopNote("step"),
    ]);
  });

  it("waits for a call that runs side by side, and keeps its result and that of one that has finished", async (context) => {
    const { start, play } = await setStage(context, [{ tools: [look(1), look(2), look(3)] }, { text: "Done." }]);
    const first = Promise.withResolvers<void>();
    const third = Promise.withResolvers<string>();
    let isAborted = false;
    const tools = work(({ n }, signal) => {
      signal.addEventListener("abort", () => (isAborted = true));
      return n === 1 ? "did 1" : third.promise;
    });
    const gate: Gate = async (call, signal) => {
      if (call.tool_input["n"] === 2) await first.promise;
      return parks(2)(call, signal);
    };

    const run = start("Go.", { ...tools, gate });
    await toolResults(run, 1);
    first.resolve();
    await toolResults(run, 2);
    third.resolve("did 3");
    const { id, result } = await run.played;
    const { shown } = await play("And now?", { resume: id });

    expect(isAborted).toBe(false);
    expect(result).toMatchObject(stopped);
    expect(shown[0]?.slice(4)).toEqual([
      "result of look 1: did 1",
      `error of look 2: ${denial("look")}`,
      "result of look 3: did 3",
      next,
      stopNote("look"),
    ]);
  });

  it("and an endTurn in the same message end the turn once, as hook_stopped", async (context) => {
    const { play } = await setStage(context, [{ tools: [look(1), look(2)] }]);

    const { result, shown } = await play("Go.", { ...work(() => endTurn("It waits.")), gate: parks(1) });

    expect(result).toMatchObject(stopped);
    expect(shown).toHaveLength(1);
  });
});

it.concurrent("a PostToolUse hook with continue: false ends the turn in the same way, and the call keeps its result", async (context) => {
  const { play } = await setStage(context, [{ tools: [step(1)] }, { text: "Done." }]);
  const afterwards: HookCallback = () => Promise.resolve({ continue: false, stopReason: "It waits." });

  const { id, result } = await play("Go.", { ...work(), hooks: { PostToolUse: [{ hooks: [afterwards] }] } });
  const { shown } = await play("And now?", { resume: id });

  expect(result).toMatchObject({ ...stopped, permission_denials: [] });
  expect(shown[0]?.slice(2)).toEqual(["result of step 1: did 1", next, stopNote("step", "PostToolUse")]);
});

describe.concurrent("a result of an in-process tool with claude/endTurn", () => {
  it("ends the turn without a further request; the SDK reports it as completed", async (context) => {
    const { play } = await setStage(context, [{ tools: [step(1)] }, { text: "Done." }]);

    const { id, result, shown } = await play(
      "Go.",
      work(() => endTurn("It waits.")),
    );
    const later = await play("And now?", { ...work(), resume: id });

    expect(result).toMatchObject({ ...ended, permission_denials: [] });
    expect(shown).toHaveLength(1);
    expect(later.shown).toEqual([["user: Go.", "call step 1", "result of step 1: It waits.", next]]);
  });

  it("does not stop the later calls of the message: each is asked about and runs before the turn ends", async (context) => {
    const calls = [step(1), step(2), writing("a.txt", "text"), look(3)];
    const { play, cwd } = await setStage(context, [{ tools: calls }, { text: "Done." }]);
    const asked: string[] = [];
    const gate: Gate = ({ tool_name }) => {
      asked.push(tool_name);
      return allow();
    };

    const { id, result } = await play("Go.", {
      tools: ["Write"],
      ...work(({ n }) => (n === 1 ? endTurn("It waits.") : `did ${String(n)}`)),
      gate,
    });
    const { shown } = await play("And now?", { resume: id });

    expect(asked).toEqual(calls.map(({ name }) => name));
    expect(await readdir(cwd)).toEqual(["a.txt"]);
    expect(result).toMatchObject(ended);
    expect(shown[0]?.slice(5)).toEqual([
      "result of step 1: It waits.",
      "result of step 2: did 2",
      expect.stringMatching(/^result of Write a.txt text: File created/),
      "result of look 3: did 3",
      next,
    ]);
  });

  it.for([1, 2])(
    "waits for a call that runs side by side, and keeps its result: call %d of two ends the turn",
    async (waiting, context) => {
      const { start, play } = await setStage(context, [{ tools: [look(1), look(2)] }, { text: "Done." }]);
      const other = Promise.withResolvers<string>();
      let isAborted = false;
      const call: ToolCall = ({ n }, signal) => {
        signal.addEventListener("abort", () => (isAborted = true));
        return n === waiting ? endTurn("It waits.") : other.promise;
      };

      const run = start("Go.", work(call));
      await toolResults(run, 1);
      other.resolve("done");
      const { id, result, shown } = await run.played;
      const later = await play("And now?", { resume: id });

      expect(isAborted).toBe(false);
      expect(result).toMatchObject(ended);
      expect(shown).toHaveLength(1);
      expect(later.shown[0]?.slice(3)).toEqual([`result of look ${waiting}: It waits.`, `result of look ${3 - waiting}: done`, next]);
    },
  );

  it("ends the turn also if a call side by side has finished before", async (context) => {
    const { start } = await setStage(context, [{ tools: [look(1), look(2)] }]);
    const first = Promise.withResolvers<void>();

    const run = start(
      "Go.",
      work(async ({ n }) => (n === 1 ? "did 1" : first.promise.then(() => endTurn("It waits.")))),
    );
    await toolResults(run, 1);
    first.resolve();
    const { result, shown } = await run.played;

    expect(result).toMatchObject(ended);
    expect(shown).toHaveLength(1);
  });

  it("is ignored if the result is an error", async (context) => {
    const { play } = await setStage(context, [{ tools: [step(1)] }, { text: "Done." }]);

    const { result, shown } = await play(
      "Go.",
      work(() => ({ ...endTurn("It failed."), isError: true })),
    );

    expect(result).toMatchObject({ result: "Done.", stop_reason: "end_turn" });
    expect(shown[1]?.at(-1)).toBe("error of step 1: It failed.");
  });
});
