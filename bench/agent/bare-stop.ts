import { spawn } from "node:child_process";
import type { SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import type { BenchStage } from "./bench-stage.ts";

/** Aborts a bare query once it has said so, and answers how long its process took to be gone. */
export async function stopBare(stage: BenchStage, moment: string, isThere: () => Promise<void>): Promise<number> {
  const abortController = new AbortController();
  let gone = Promise.resolve(0);
  let asked = 0;
  const each = (message: unknown): void => {
    if (asked > 0 || !JSON.stringify(message).includes(moment)) return;
    void isThere().then(() => {
      asked = performance.now();
      abortController.abort();
    });
  };
  /** As the SDK starts it, only that we learn when it is gone. */
  const spawnClaudeCodeProcess = ({ command, args, cwd, env, signal }: SpawnOptions) => {
    const child = spawn(command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...env, NODE_ENV: "production" },
      signal,
      stdio: ["pipe", "pipe", "ignore"],
    });
    gone = new Promise((resolve) => child.once("close", () => resolve(performance.now())));
    child.on("error", () => undefined);
    return child;
  };
  try {
    await stage.bare(each, { abortController, spawnClaudeCodeProcess });
  } catch (error) {
    if (!abortController.signal.aborted) throw error;
  }
  return (await gone) - asked;
}
