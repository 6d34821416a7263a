import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { allow, look, step, work } from "./stage-tools.ts";
import { setStage, toolResults } from "./stage.ts";

/** Long enough for the SDK to ask about another call, if it did. */
const heldMs = 200;

describe.concurrent("the calls of one message", () => {
  it("run side by side only if they are read-only and follow each other", async (context) => {
    const { play } = await setStage(context, [{ tools: [look(1), look(2), step(3), step(4), look(5)] }, { text: "Done." }]);
    const log: string[] = [];
    const second = Promise.withResolvers<void>();

    const call = async (n: unknown) => {
      log.push(`begin ${String(n)}`);
      if (n === 2) second.resolve();
      await (n === 1 ? second.promise : sleep(50));
      log.push(`end ${String(n)}`);
      return "done";
    };
    await play(
      "Go.",
      work(({ n }) => call(n)),
    );

    const rest = ["begin 3", "end 3", "begin 4", "end 4", "begin 5", "end 5"];
    expect(log).toEqual(["begin 1", "begin 2", "end 1", "end 2", ...rest]);
  });

  it("are not asked about while an earlier call is held by its hook, except those side by side with it", async (context) => {
    const { start } = await setStage(context, [{ tools: [look(1), look(2), step(3), look(4)] }, { text: "Done." }]);
    const log: string[] = [];
    const second = Promise.withResolvers<void>();

    const run = start("Go.", {
      ...work(({ n }) => `${log.push(`run ${String(n)}`)}`),
      gate: async ({ tool_input: { n } }) => {
        log.push(`ask ${String(n)}`);
        if (n === 1) await second.promise;
        if (n === 3) await sleep(heldMs);
        return allow();
      },
    });
    await toolResults(run, 1);
    second.resolve();
    await run.played;

    expect(log).toEqual(["ask 1", "ask 2", "run 2", "run 1", "ask 3", "run 3", "ask 4", "run 4"]);
  });
});
