import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning, setMemberStage } from "./member-stage.testing.ts";
import { playedBy } from "./played-member.testing.ts";

const transports = ["stdio", "http"] as const;
const shortHandshake = { limits: { startsAtOnce: 4, handshakeMs: 1500, callMs: 20_000 } };
const shortCalls = { limits: { startsAtOnce: 4, handshakeMs: 60_000, callMs: 1500 } };

describe.each(transports)("a hostile member over %s", (transport) => {
  it("that dies at its start is told with its exit code, and its last words are there", async () => {
    const stage = await setMemberStage();

    const member = stage.launch(playedBy(transport, "dies"));

    expect(await member.ended).toBe("played-1 ended by itself before it was connected, with exit code 3.");
    expect(member.stderr()).toBe("I cannot go on.\n");
    expect([...member.steps.values()].filter(({ state }) => state === "failed")).toHaveLength(1);
  });

  it("that dies in a call fails that call with the reason, and its life ends", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;

    const failure = await failureOf(member.ask("die"));

    const reason = "played-1 ended by itself while it worked on die, with exit code 7.";
    expect(failure).toEqual({ code: "member_failed", message: `die of played-1 gave no answer: ${reason}` });
    expect(await member.ended).toBe(reason);
    expect(await failureOf(member.ask("echo"))).toMatchObject({ code: "member_unavailable" });
  });

  it("that hangs in the handshake is ended when its time is up", async () => {
    const stage = await setMemberStage(shortHandshake);

    const member = stage.launch(playedBy(transport, "hangs"));

    expect(await member.ended).toMatch(/^played-1 did not .+ within 1\.5 s\. /);
    expect(member.steps.get(transport === "http" ? "listening" : "handshake")?.state).toBe("failed");
    expect(member.steps.get("tools")?.state).toBe("waiting");
  });

  it("that hangs in a call is told to stop when the time is up, or when its caller goes away, and goes on with others", async () => {
    const stage = await setMemberStage(shortCalls);
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;

    const failure = await failureOf(member.ask("hang"));

    expect(failure.code).toBe("tool_timeout");
    expect(failure.message).toContain("hang of played-1 gave no answer within 1.5 s");
    await expect.poll(() => member.ask("what-was-cancelled"), { timeout: 20_000 }).toMatch(/^\[\d+\]$/);
    const caller = new AbortController();
    const call = failureOf(member.call("hang", {}, caller.signal));
    caller.abort();
    expect(await call).toEqual({ code: "stopped", message: "The call of hang of played-1 was stopped." });
    await expect.poll(() => member.ask("what-was-cancelled"), { timeout: 20_000 }).toMatch(/^\[\d+,\d+\]$/);
  });

  it("that talks nonsense beside its messages is understood nevertheless", async () => {
    const stage = await setMemberStage();

    const member = stage.launch(playedBy(transport, "talks-nonsense"));
    await member.connected;

    expect(await member.ask("echo", { still: "here" })).toBe('{"still":"here"}');
  });

  it("that answers a call with nonsense, or with something nested without end, fails that call at once, and only that", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;

    const failure = await failureOf(member.ask("answer-nonsense"));

    const tooDeep = await failureOf(member.ask("answer-very-deeply"));

    const message = "played-1 failed to answer the call of answer-nonsense: What it answered is not a message of MCP.";
    expect(failure).toEqual({ code: "member_failed", message });
    expect(tooDeep).toMatchObject({ code: "member_failed", message: expect.stringContaining("It is nested too deeply.") as string });
    expect(await member.ask("echo", { still: "here" })).toBe('{"still":"here"}');
  });

  it("that answers 100 MB fails that call in words, and takes neither our memory nor our time (SEC-15)", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;
    const before = process.memoryUsage().rss;
    const watch = watchEventLoop();

    const failure = await failureOf(member.ask("answer-100-megabytes"));

    expect(failure.code).toBe("member_failed");
    expect(failure.message).toContain("The answer is longer than 16 MiB, which is the most the hall takes.");
    expect(watch.longestTurnMs()).toBeLessThan(100);
    expect(process.memoryUsage().rss - before).toBeLessThan(90_000_000);
    expect(await member.ask("echo", { still: "here" })).toBe('{"still":"here"}');
  });

  it("that floods stderr keeps nobody waiting", async () => {
    const stage = await setMemberStage();
    const watch = watchEventLoop();

    const member = stage.launch(playedBy(transport, "floods-stderr"));
    await member.connected;

    expect(await member.ask("flood-stderr")).toBe("done");
    expect(watch.longestTurnMs()).toBeLessThan(100);
    expect(member.stderr()).toMatch(/^[flod ]+$/);
  });

  it("that forks takes its children with it, even those that left its group, and one of its own session with a cleared environment (SEC-17)", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;
    const children: number[] = [];
    for (const way of ["fork", "fork-away", "fork-unmarked"]) children.push(Number(await member.ask(way)));
    expect(children.map(isRunning)).toEqual([true, true, true]);

    await member.end();

    expect(children.map(isRunning)).toEqual([false, false, false]);
  });

  it("that dies leaves none of its children behind, not even one without environment, group and parent (SEC-17)", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;
    const children: number[] = [];
    for (const way of ["fork", "fork-away", "fork-unmarked", "fork-forsaken"]) children.push(Number(await member.ask(way)));
    expect(children.map(isRunning)).toEqual([true, true, true, true]);

    await failureOf(member.ask("die"));
    await member.ended;

    expect(children.map(isRunning)).toEqual([false, false, false, false]);
  });

  it("that ignores SIGTERM is killed (SEC-17)", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "ignores-sigterm"));
    await member.connected;
    const { pid } = JSON.parse(await member.ask("surroundings")) as { pid: number }; // as the played member answers

    await member.end();

    expect(await member.ended).toBeNull();
    expect(isRunning(pid)).toBe(false);
  });
});

describe("a hostile member over stdio", () => {
  it("that answers what nobody asked, nested without end, does no harm", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy("stdio", "well"));
    await member.connected;

    expect(await member.ask("say-something-deep")).toBe("said");
  });

  it("that says something else instead of an answer is told what it said", async () => {
    // Long enough for a program to get its first word out on a busy machine.
    const stage = await setMemberStage({ limits: { startsAtOnce: 4, handshakeMs: 8000, callMs: 20_000 } });

    const member = stage.launch(playedBy("stdio", "greets-only"));

    expect(await member.ended).toContain("It wrote a line to stdout that is no message: Welcome to my server!");
  });

  it("that another program may have to download first is told so", async () => {
    const stage = await setMemberStage(shortHandshake);
    const slow = join(stage.folder, "npx");
    await writeFile(slow, "#!/bin/sh\nsleep 600\n", { mode: 0o700 });

    const member = stage.launch({ transport: "stdio", mcp: { command: slow, args: ["-y", "some-server"], env: {} } });

    expect(await member.ended).toMatch(/^played-1 did not get ready within 1\.5 s\. npx may still have been downloading it: /);
  });

  it("that closes its output is ended, because nobody can speak with it any more", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy("stdio", "well"));
    await member.connected;

    const failure = await failureOf(member.ask("close-stdout"));

    const reason = "played-1 closed the connection, although it goes on running.";
    expect(failure).toEqual({ code: "member_failed", message: `close-stdout of played-1 gave no answer: ${reason}` });
    expect(await member.ended).toBe(reason);
  });

  it("that talks without end keeps nobody waiting", async () => {
    const stage = await setMemberStage();
    const watch = watchEventLoop();
    const chatter = stage.launch(playedBy("stdio", "chatters"));
    // The second time, all it said the first time has been heard.
    await expect.poll(() => chatter.stderr(), { timeout: 30_000 }).toContain("blah blah");

    const other = stage.launch(playedBy("stdio", "well"));
    await other.connected;

    expect(await other.ask("echo", { still: "here" })).toBe('{"still":"here"}');
    expect(watch.longestTurnMs()).toBeLessThan(250);
    await chatter.end();
  });
});

describe("members that hang in the handshake", () => {
  it("keep the others waiting for a moment only", async () => {
    const stage = await setMemberStage({ limits: { startsAtOnce: 2, handshakeMs: 600_000, callMs: 20_000 } });
    const hanging = Array.from({ length: 2 }, () => stage.launch(playedBy("stdio", "hangs")));

    const other = stage.launch(playedBy("stdio", "well"));
    await other.connected;

    expect(hanging.map(({ steps }) => steps.get("handshake")?.state)).toEqual(["doing", "doing"]);
  });
});

describe("members over http", () => {
  it("that serve something else are told so", async () => {
    const stage = await setMemberStage();

    const member = stage.launch(playedBy("http", "serves-no-mcp"));

    expect(await member.ended).toMatch(/^played-1 did not take the MCP handshake: .+ does it serve MCP at \/mcp where it speaks HTTP\?$/);
    expect(member.steps.get("handshake")?.state).toBe("failed");
  });

  it("that have forgotten the hall are ended, so that they can begin anew", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy("http", "well"));
    await member.connected;
    await member.ask("forget");

    const failure = await failureOf(member.ask("echo"));

    expect(failure.code).toBe("member_failed");
    expect(await member.ended).toBe("played-1 no longer knows the connection it had with the hall.");
  });

  it("that never listen are told which port they were given", async () => {
    const stage = await setMemberStage(shortHandshake);

    const member = stage.launch(playedBy("http", "never-listens"));

    expect(await member.ended).toMatch(/did not listen on 127\.0\.0\.1:\d+ within 1\.5 s\. Does it take its port from \$\{PORT\}/);
  });
});

describe("a program that cannot be started", () => {
  it.each([
    ["is not there", "no-such-program-anywhere", "The program no-such-program-anywhere was not found. Install it,"],
    ["may not be executed", import.meta.filename, `The program ${import.meta.filename} may not be executed.`],
    ["is not a program", "/", "The program / may not be executed."],
  ])("because it %s says so, and what to do", async (_why, command, sentence) => {
    const stage = await setMemberStage();

    const member = stage.launch({ transport: "stdio", mcp: { command, args: [], env: {} } });

    expect(await member.ended).toContain(sentence);
    expect(member.steps.get("spawned")).toMatchObject({ state: "failed", detail: expect.stringContaining(sentence) as string });
  });
});

describe("a program with too many arguments", () => {
  it("is told to have fewer", async () => {
    const stage = await setMemberStage();
    const args = Array.from({ length: 200 }, () => "x".repeat(32_000));

    const member = stage.launch({ transport: "stdio", mcp: { command: "node", args, env: {} } });

    expect(await member.ended).toContain("its arguments and variables are too long together");
  });
});

async function failureOf(work: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  const error = await work.then(
    () => new Error("It did not fail."),
    (failure: unknown) => failure,
  );
  if (!(error instanceof Error)) throw new Error("Something other than an error was thrown.");
  return { code: "code" in error ? error.code : null, message: error.message };
}

/**
 * Watches for turns of the event loop in which nobody else gets a word in. Counted is the processor's time, which other
 * programs on a busy machine do not change.
 */
function watchEventLoop(): { longestTurnMs(): number } {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  onTestFinished(() => clearInterval(timer));
  return {
    longestTurnMs() {
      look();
      return longest;
    },
  };
}
