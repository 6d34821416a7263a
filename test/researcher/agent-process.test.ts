import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createAgentProcess } from "../../guild-members/researcher/agent-process.ts";
import { findDeathSignal } from "../../guild-members/researcher/death-signal.ts";

/** A process that says whatever it hears. */
async function echo(onSpawn: (pid: number) => Promise<void>) {
  const agent = createAgentProcess(onSpawn, await findDeathSignal());
  const spawned = agent.spawn({
    command: process.execPath,
    args: ["-e", "process.stdin.pipe(process.stdout)"],
    env: { PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  spawned.stdin.write("a task");
  return { agent, heard: once(spawned.stdout, "data").then(String) };
}

describe("the agent's process", () => {
  it("hears nothing before it is on record, so that one nobody knows of does nothing, and all afterwards", async () => {
    const happened: string[] = [];
    const other = Promise.withResolvers<void>();

    const first = await echo(async () => {
      // As long as another one needs to begin, to hear its task and to answer.
      await other.promise;
      happened.push("recorded");
    });
    const answered = first.heard.then((text) => happened.push(`heard ${text}`));
    const second = await echo(() => Promise.resolve());
    expect(await second.heard).toBe("a task");
    other.resolve();
    await answered;

    expect(happened).toEqual(["recorded", "heard a task"]);
    await Promise.all([first, second].map(({ agent }) => agent.stop(null)));
  });

  it("never hears its task where it cannot be recorded", async () => {
    const { agent, heard } = await echo(() => Promise.reject(new Error("The disk is full.")));

    await agent.stop(null);

    expect(agent.exit()).toEqual({ code: null, signal: "SIGKILL" });
    expect(await Promise.race([heard, Promise.resolve("nothing")])).toBe("nothing");
  });
});
