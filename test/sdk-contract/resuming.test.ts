import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { allow, endTurn, park, step, work } from "./stage-tools.ts";
import type { ToolCall } from "./stage-tools.ts";
import { setStage, until } from "./stage.ts";
import type { Change, Gate, Prompt, Stage } from "./stage.ts";

const resumesTurn = { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: "1" };
const showsCutOffCalls = { CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: "1" };

const unknown =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. " +
  "Check whether it took effect before relying on it or running it again.]";

/** Starts three calls, one after the other, and kills the process while the second one runs. */
async function killInSecondCall({ start, transcript }: Stage, change: Change = {}): Promise<string> {
  const sessionId = randomUUID();
  const second = Promise.withResolvers<void>();
  const call: ToolCall = ({ n }) => {
    if (n === 1) return "did 1";
    second.resolve();
    return new Promise(() => {});
  };

  const run = start("Go.", { ...work(call), sessionId, ...change });
  await second.promise;
  await until(async () => (await transcript(sessionId)).includes("did 1"));
  run.child.kill("SIGKILL");
  const { error } = await run.played;
  expect(error).toBe("Claude Code process terminated by signal SIGKILL");
  return sessionId;
}

/** An input that ends at once. */
async function* nothing(): Prompt & object {}

describe.concurrent("after a process was killed while a tool ran, a new one", () => {
  const replies = [{ text: "I begin.", tools: [step(1), step(2), step(3)] }, { text: "Done." }];
  const before = ["user: Go.", "assistant: I begin.", "call step 1"];
  const cutOff = ["call step 2", "call step 3", "result of step 1: did 1", `error of step 2: ${unknown}`, `error of step 3: ${unknown}`];

  it("continues the turn and shows each cut-off call as unknown, with both variables and an input that stays open", async (context) => {
    const stage = await setStage(context, replies);
    const resume = await killInSecondCall(stage);

    const { result, shown } = await stage.play([], { ...work(), resume, env: { ...resumesTurn, ...showsCutOffCalls } });

    expect(result).toMatchObject({ terminal_reason: "completed", result: "Done.", resume_reason: "interrupted_turn" });
    expect(shown).toEqual([[...before, ...cutOff, "user: Continue from where you left off."]]);
  });

  it("continues the turn without the cut-off calls, with the first variable alone", async (context) => {
    const stage = await setStage(context, replies);
    const resume = await killInSecondCall(stage);

    const { shown } = await stage.play([], { ...work(), resume, env: resumesTurn });

    expect(shown).toEqual([[...before, "result of step 1: did 1", "user: Continue from where you left off."]]);
  });

  it("continues the turn with our words, with the variable for the prompt", async (context) => {
    const stage = await setStage(context, replies);
    const resume = await killInSecondCall(stage);

    const env = { ...resumesTurn, ...showsCutOffCalls, CLAUDE_CODE_RESUME_PROMPT: "The hall was restarted." };
    const { shown } = await stage.play([], { ...work(), resume, env });

    expect(shown).toEqual([[...before, ...cutOff, "user: The hall was restarted."]]);
  });

  it("shows the cut-off calls as unknown before a new message, without any variable", async (context) => {
    const stage = await setStage(context, replies);
    const resume = await killInSecondCall(stage);

    const { shown } = await stage.play("The hall was restarted.", { ...work(), resume });

    expect(shown).toEqual([[...before, ...cutOff, "assistant: No response requested.", "user: The hall was restarted."]]);
  });

  it("plays two turns if it continues the turn and gets a message too", async (context) => {
    const stage = await setStage(context, replies);
    const resume = await killInSecondCall(stage);

    const { messages, shown } = await stage.play("And now?", { ...work(), resume, env: resumesTurn });

    expect(messages.filter(({ type }) => type === "result")).toHaveLength(2);
    expect(shown.map((lines) => lines.at(-1))).toEqual(["user: Continue from where you left off.", "user: And now?"]);
  });

  it("continues the turn with the SDK's own system prompt if ours was not recorded", async (context) => {
    const stage = await setStage(context, replies);
    const systemPrompt = { type: "custom", prompt: "You are on a stage.", snapshot: false } as const;
    const resume = await killInSecondCall(stage, { systemPrompt });

    await stage.play([], { ...work(), systemPrompt, resume, env: resumesTurn });

    const [first, second] = stage.model.requests.map(({ body }) => JSON.stringify(body.system));
    expect(first).toContain("You are on a stage.");
    expect(second).not.toContain("You are on a stage.");
    expect(second).toContain("You are an agent working with the user");
  });

  it("asks the hook about each call of the continued turn while the input is open", async (context) => {
    const { asked, shown } = await callAfterKill(await setStage(context, callsAgain), []);

    expect(asked).toEqual([{ n: 4 }]);
    expect(shown[1]?.at(-1)).toBe("result of step 4: did 4");
  });

  it("refuses each call of the continued turn in the user's name, without asking the hook, if the input has ended", async (context) => {
    const { asked, shown } = await callAfterKill(await setStage(context, callsAgain), nothing());

    expect(asked).toEqual([]);
    expect(shown[1]?.at(-1)).toContain("error of step 4: The user doesn't want to take this action right now. STOP what you are doing");
  });

  const callsAgain = [{ tools: [step(1), step(2)] }, { tools: [step(4)] }, { text: "Done." }];

  async function callAfterKill(stage: Stage, prompt: Prompt) {
    const resume = await killInSecondCall(stage);
    const asked: unknown[] = [];
    const gate: Gate = ({ tool_input }) => {
      asked.push(tool_input);
      return allow();
    };
    const { shown } = await stage.play(prompt, { ...work(), gate, resume, env: resumesTurn });
    return { asked, shown };
  }
});

it.concurrent("a call gets into the transcript while its hook is held; killed then, it is shown as unknown", async (context) => {
  const { start, play, transcript } = await setStage(context, [{ tools: [step(1)] }, { text: "Done." }]);
  const sessionId = randomUUID();
  const isHeld = Promise.withResolvers<void>();
  const gate: Gate = () => {
    isHeld.resolve();
    return new Promise(() => {});
  };

  const run = start("Go.", { ...work(), gate, sessionId });
  await isHeld.promise;
  await until(async () => (await transcript(sessionId)).includes('"input":{"n":1}'));
  run.child.kill("SIGKILL");
  await run.played;
  const { shown } = await play("And now?", { ...work(), resume: sessionId });

  expect(shown[0]?.slice(0, 3)).toEqual(["user: Go.", "call step 1", `error of step 1: ${unknown}`]);
});

describe.concurrent("after a turn was parked", () => {
  it.for(["hook", "endTurn"])(
    "by %s, a new process has no turn to continue: it makes no request without a message",
    async (how, context) => {
      const stage = await setStage(context, [{ tools: [step(1)] }, { text: "Done." }]);
      const { id } = await stage.play("Go.", {
        ...work(() => endTurn("It waits.")),
        gate: () => (how === "hook" ? park("Ask later.") : allow()),
      });

      const { result, shown } = await stage.play(nothing(), { ...work(), resume: id, env: { ...resumesTurn, ...showsCutOffCalls } });

      expect(result).toBeUndefined();
      expect(shown).toEqual([]);
    },
  );
});
