import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { allow, step, work } from "./stage-tools.ts";
import { setStage } from "./stage.ts";

const never = () => new Promise<never>(() => {});
const replies = [{ tools: [step(1)] }, { text: "Done." }];

describe.concurrent("the timeout of an in-process server", () => {
  it("is in milliseconds and aborts the call; the model sees it as an error", async (context) => {
    const { play } = await setStage(context, replies);
    let isAborted = false;

    const { shown } = await play(
      "Go.",
      work((_input, signal) => {
        signal.addEventListener("abort", () => (isAborted = true));
        return never();
      }, 1000),
    );

    expect(shown[1]?.at(-1)).toBe('error of step 1: MCP server "work" tool "step" timed out after 1s');
    expect(isAborted).toBe(true);
  });

  it("may be the largest of a timer, which is 24.8 days", async (context) => {
    const { play } = await setStage(context, replies);

    const { shown } = await play(
      "Go.",
      work(() => sleep(500, "did it"), 2_147_483_647),
    );

    expect(shown[1]?.at(-1)).toBe("result of step 1: did it");
  });
});

describe.concurrent("the timeout of a hook", () => {
  it("is in seconds, aborts the hook and blocks the call; the model sees it as an error", async (context) => {
    const { play } = await setStage(context, replies);
    let calls = 0;
    let isAborted = false;

    const { shown } = await play("Go.", {
      ...work(() => `${(calls += 1)}`),
      gate: (_call, signal) => {
        signal.addEventListener("abort", () => (isAborted = true));
        return never();
      },
      gateTimeout: 1,
    });

    expect(shown[1]?.at(-1)).toContain("PreToolUse hook did not respond before its timeout");
    expect([calls, isAborted]).toEqual([0, true]);
  });

  it("may be a week", async (context) => {
    const { play } = await setStage(context, replies);

    const { shown } = await play("Go.", { ...work(), gate: () => sleep(500, allow()), gateTimeout: 7 * 24 * 60 * 60 });

    expect(shown[1]?.at(-1)).toBe("result of step 1: did 1");
  });
});
