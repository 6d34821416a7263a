import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createChecker } from "./checker.ts";
import type { CheckAsked, CheckerSaid } from "./checker.ts";

const request = { schema: {}, input: {}, choices: {} };
const issue = { path: ["a"], message: "This is needed." };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a checker in a worker", () => {
  it("waits for a worker that is slow to come, and gives up one that is slow to check", async () => {
    const { checker, workers } = setChecker();

    const first = checker.check(request);
    await vi.advanceTimersByTimeAsync(10_000);
    workers[0]?.say("ready");
    await vi.advanceTimersByTimeAsync(900);
    workers[0]?.answer([issue]);
    const second = checker.check(request);
    await vi.advanceTimersByTimeAsync(1000);

    expect(await first).toEqual([issue]);
    expect(await second).toBeNull();
    expect(workers[0]?.isTerminated).toBe(true);
  });

  it("gives up one that never comes, and opens another for what is asked next", async () => {
    const { checker, workers } = setChecker();

    const first = checker.check(request);
    await vi.advanceTimersByTimeAsync(15_000);
    const second = checker.check(request);
    workers[1]?.say("ready");
    workers[1]?.answer([]);

    expect(await first).toBeNull();
    expect(await second).toEqual([]);
    expect(workers).toHaveLength(2);
  });
});

/** As much of a browser's worker as the checker uses; Node has none. */
class PlayedWorker extends EventTarget {
  isTerminated = false;
  #asked: CheckAsked[] = [];

  postMessage(asked: CheckAsked): void {
    this.#asked.push(asked);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  say(data: CheckerSaid): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
  answer(issues: (typeof issue)[]): void {
    const [asked] = this.#asked.splice(0, 1);
    if (asked !== undefined) this.say({ id: asked.id, issues });
  }
}

function setChecker() {
  const workers: PlayedWorker[] = [];
  const openWorker = () => {
    const worker = new PlayedWorker();
    workers.push(worker);
    return worker as unknown as Worker; // the part of it that is used
  };
  return { workers, checker: createChecker({ openWorker }) };
}
