import { describe, expect, it, onTestFinished } from "vitest";
import { createDeathSignal } from "../processes/death-signal.ts";
import { groupIsAlive, until } from "./agent-stage.testing.ts";
import { createChildProcess } from "./child-process.ts";
import type { ChildWatch } from "./child-process.ts";
import { stopChild } from "./stop-child.ts";

/** A shell that plays the SDK's process. It is ready when it has said so. */
async function startShell(script: string, watch: Parameters<typeof createChildProcess>[0] = {}) {
  const child = createChildProcess(watch, await createDeathSignal(process.env)());
  onTestFinished(() => child.kill("SIGKILL"));
  const shell = child.spawn({
    command: "/bin/sh",
    args: ["-c", script],
    env: { PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const said = await new Promise<string>((resolve) => shell.stdout.once("data", (data: Buffer) => resolve(data.toString().trim())));
  return { child, shell, said, pid: child.pid() ?? 0 };
}

const request = { command: process.execPath, args: [] as string[], env: {}, signal: new AbortController().signal };

function recordedWatch() {
  const seen: string[] = [];
  const watch: ChildWatch = {
    onStart: () => seen.push("start"),
    onSpawn: () => seen.push("spawn"),
    onExit: ({ pid }) => seen.push(`exit ${pid}`),
  };
  return { seen, watch };
}

const never = () => new Promise<never>(() => undefined);

describe("a process", () => {
  it("takes all it started with it, even when it goes by itself", async () => {
    const { child, shell, pid } = await startShell("sleep 1000 & echo ready; read line; exit 3");
    expect(groupIsAlive(pid)).toBe(true);

    shell.stdin.end("\n");
    await child.gone();

    await until(() => !groupIsAlive(pid));
    expect(child.exit()).toEqual({ code: 3, signal: null });
  });

  it("is announced when it comes and when it goes", async () => {
    const seen: string[] = [];
    const { child, pid } = await startShell("echo ready; sleep 1000", {
      onSpawn: (one) => seen.push(`spawn ${one.pid}`),
      onExit: (one) => seen.push(`exit ${one.pid}`),
    });

    child.kill("SIGKILL");
    await child.gone();

    expect(seen).toEqual([`spawn ${pid}`, `exit ${pid}`]);
  });

  it("keeps the end of what it wrote to stderr, and no more", async () => {
    const { child } = await startShell("head -c 100000 /dev/zero | tr '\\\\0' x >&2; echo last words >&2; echo ready; sleep 1000");

    await until(() => child.stderr().endsWith("last words\n"));

    expect(child.stderr().length).toBeLessThan(10_000);
  });

  it.each([
    ["that is not there", "/no/such/program", "ENOENT"],
    ["that may not be executed", import.meta.filename, "EACCES"],
    ["that is a folder", import.meta.dirname, "EACCES"],
  ])("of a program %s has no exit and is gone", async (_why, command, code) => {
    const child = createChildProcess({}, await createDeathSignal(process.env)());
    const failed = Promise.withResolvers<Error>();

    child.spawn({ command, args: [], env: {}, signal: new AbortController().signal }).once("error", failed.resolve);

    expect((await failed.promise).message).toContain(code);
    await child.gone();
    expect([child.pid(), child.exit()]).toEqual([undefined, null]);
  });

  it("of a program that is not there is not announced", async () => {
    const { seen, watch } = recordedWatch();
    const child = createChildProcess(watch, await createDeathSignal(process.env)());

    child.spawn({ ...request, command: "/no/such/program" }).once("error", () => undefined);
    await child.gone();

    expect(seen).toEqual([]);
  });

  it("that the system refuses to start leaves no record", async () => {
    const { seen, watch } = recordedWatch();
    const child = createChildProcess(watch, await createDeathSignal(process.env)());
    const failed = Promise.withResolvers<Error>();

    child.spawn({ ...request, cwd: "/no/such/folder" }).once("error", failed.resolve);

    expect((await failed.promise).message).toContain("ENOENT");
    await child.gone();
    expect(seen).toEqual(["start", "exit undefined"]);
  });

  it("whose start throws leaves no record either", async () => {
    const { seen, watch } = recordedWatch();
    const child = createChildProcess(watch, await createDeathSignal(process.env)());

    const start = () => child.spawn({ ...request, args: ["x".repeat(4_000_000)] });

    expect(start).toThrow("E2BIG");
    await child.gone();
    expect(seen).toEqual(["start", "exit undefined"]);
  });
});

describe("stopping (SEC-17)", () => {
  it("kills a process that answers neither an interruption nor a signal, with all it started", async () => {
    const { child, pid } = await startShell('trap "" TERM INT HUP; sleep 1000 & echo ready; while true; do sleep 1000; done');

    await stopChild({ child, interrupt: never, close: () => undefined });

    expect(child.exit()).toEqual({ code: null, signal: "SIGKILL" });
    await until(() => !groupIsAlive(pid));
  });

  it("asks one that has nothing to interrupt to go, and is gentle where that is enough", async () => {
    const { child } = await startShell('trap "exit 7" TERM; echo ready; while true; do sleep 0.01; done');

    await stopChild({ child, interrupt: null, close: () => undefined });

    expect(child.exit()).toEqual({ code: 7, signal: null });
  });

  it("does not mind an interruption that fails, nor a process that has gone", async () => {
    const { child } = await startShell("echo ready; sleep 1000");

    await stopChild({ child, interrupt: () => Promise.reject(new Error("not connected")), close: () => undefined });
    await stopChild({ child, interrupt: never, close: () => undefined });

    expect(child.exit()?.signal).toBe("SIGKILL");
  });
});
