import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { startAwakeTimer } from "./awake-timer.ts";

afterEach(() => void vi.useRealTimers());

it.each([0, 1, 999, 1000, 1001, 120_000])("is due after exactly %i ms if nothing sleeps", (ms) => {
  vi.useFakeTimers();
  const onDue = vi.fn<() => void>();

  startAwakeTimer(ms, onDue);
  if (ms > 0) vi.advanceTimersByTime(ms - 1);
  expect(onDue).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  vi.advanceTimersByTime(500_000);

  expect(onDue).toHaveBeenCalledTimes(1);
});

it("does not count the time in which its process is stopped", async () => {
  const words = await wordsOfStoppedProcess(`
    import { startAwakeTimer } from ${JSON.stringify(import.meta.resolve("./awake-timer.ts"))};
    startAwakeTimer(2000, () => console.log("awake"));
    setTimeout(() => console.log("plain"), 2000);
    console.log("started");
  `);

  expect(words).toEqual(["started", "plain", "awake"]);
});

it("is never due once it is cancelled, in any of its steps", () => {
  vi.useFakeTimers();
  const onDue = vi.fn<() => void>();

  const cancel = startAwakeTimer(5000, onDue);
  vi.advanceTimersByTime(3500);
  cancel();
  vi.advanceTimersByTime(10_000);

  expect(onDue).not.toHaveBeenCalled();
});

/** What a program prints line by line if it is stopped at its first line, for longer than two seconds. */
async function wordsOfStoppedProcess(program: string): Promise<string[]> {
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  const words: string[] = [];
  for await (const word of createInterface({ input: child.stdout })) {
    if (words.push(word) > 1) continue;
    child.kill("SIGSTOP");
    await pause(2200);
    child.kill("SIGCONT");
  }
  return words;
}
