import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { newSessionId } from "../../schema/ids.ts";
import type { WaitingFor } from "../../schema/run.ts";
import { createWaitLine } from "./wait-line.ts";

const id = newSessionId();
const noon = new Date(2026, 0, 1, 12).getTime();
const at = (minutes: number): string => new Date(noon + minutes * 60_000).toISOString();

function waitLine({ isTTY = false, isPaused = false } = {}) {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const clock = { now: noon, look: (): void => undefined };
  const line = createWaitLine({
    shell: { stderr },
    printer: { progress: (text) => void stderr.write(`${text}\n`) },
    commands: { group: "session", id },
    isPaused: async () => isPaused,
    now: () => clock.now,
    repeat(look) {
      clock.look = look;
      return () => void (clock.look = () => undefined);
    },
  });
  const pass = (minutes: number): void => {
    clock.now += minutes * 60_000;
    clock.look();
  };
  return { ...line, pass, said: () => String(stderr.read() ?? "") };
}

const limit: WaitingFor = { kind: "limit", since: at(0), until: at(125) };

describe("the line about a run that waits", () => {
  it("names the reset of a usage limit, and the command that tries at once", async () => {
    const line = waitLine();

    await line.show(limit);
    line.pass(1);
    line.end();

    expect(line.said()).toBe(
      `The model's usage limit resets at 14:05 (in 2 h). Waiting since 12:00. Ctrl-C leaves it waiting. Try at once with: guild-hall session try-now ${id}\n`,
    );
  });

  it("counts down in place on a terminal, until something else is printed", async () => {
    const line = waitLine({ isTTY: true });

    await line.show(limit);
    for (const minutes of [1, 60, 63, 0.5, 2]) line.pass(minutes);
    line.end();
    line.pass(1);

    const [help, countdown, ...rest] = line.said().split("\n");
    expect(help).toBe(`Ctrl-C leaves it waiting. Try at once with: guild-hall session try-now ${id}`);
    expect(countdown?.split("\r").map((text) => /\((.*)\)\. Waiting since 12:00\.\u001b\[K$/.exec(text)?.[1])).toEqual([
      undefined,
      "in 2 h",
      "in 64 min",
      "in 60 s",
      "in 30 s",
      "about now",
    ]);
    expect(rest).toEqual([""]);
  });

  it("says since when it waits, and what to do about it", async () => {
    const [waiting, paused, another, atLimit] = [waitLine(), waitLine({ isPaused: true }), waitLine(), waitLine()];

    await waiting.show({ kind: "slot", since: at(-2) });
    await paused.show({ kind: "slot", since: at(-2) });
    await another.show({ kind: "slot", since: at(-24 * 60) });
    await atLimit.show({ kind: "budget", since: at(-2), limit: "turns", message: "The answer has taken 5 turns, and its limit is 5." });

    expect(waiting.said()).toBe("Waiting for a free slot (since 11:58).\n");
    expect(paused.said()).toBe("Waiting for a free slot (since 11:58). New runs are paused. Resume new runs with: guild-hall unpause\n");
    expect(another.said()).toBe("Waiting for a free slot (since 2025-12-31 12:00).\n");
    expect(atLimit.said()).toBe("The answer has taken 5 turns, and its limit is 5. Waiting since 11:58.\n");
  });
});
