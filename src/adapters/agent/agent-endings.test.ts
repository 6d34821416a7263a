import { createServer } from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { AgentEnding } from "../../core/agent/agent-run.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { newSdkSessionId } from "../../schema/ids.ts";
import { callOf, eventsOf, readAll, setStage, stageTool } from "./agent-stage.testing.ts";

const codeOf = (ending: AgentEnding): string => (ending.outcome === "failed" ? ending.code : ending.outcome);

describe("every ending of the SDK is one of ours", () => {
  it("completes with the model's last words", async () => {
    const { play, model } = await setStage([{ text: "Good morning." }]);

    const { ending, events } = await play();

    expect(ending).toEqual({ outcome: "completed", text: "Good morning." });
    expect(eventsOf(events, "ended")).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });

  it("ends as max_turns at the limit, after exactly that many model calls", async () => {
    const { play, model } = await setStage([callOf("mcp__stage__again")]);

    const { ending } = await play({ limits: { maxTurns: 2 }, toolServers: stageTool("again") });

    expect(codeOf(ending)).toBe("max_turns");
    expect(ending).toHaveProperty("message", expect.stringContaining("2 turns"));
    expect(model.requests).toHaveLength(2);
  });

  it("ends as budget when the money is spent", async () => {
    const { play } = await setStage([{ ...callOf("mcp__stage__again"), usage: { inputTokens: 100_000, outputTokens: 100_000 } }]);

    const { ending } = await play({ limits: { maxTurns: 9, maxBudgetUsd: 0.01 }, toolServers: stageTool("again") });

    expect(codeOf(ending)).toBe("budget");
  });

  it.each([401, 403])("ends as model_auth at the first %i", async (status) => {
    const { play, model } = await setStage([{ error: { status, message: "invalid key key-of-the-test" } }]);

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_auth");
    expect(JSON.stringify(ending)).not.toContain("key-of-the-test");
    expect(model.requests).toHaveLength(1);
  });

  it("waits out a usage limit that resets soon", async () => {
    const { play } = await setStage([{ error: { status: 429, message: "slow down", retryAfter: 1 } }, { text: "Now I can." }]);

    const { ending, events } = await play();

    expect(ending).toEqual({ outcome: "completed", text: "Now I can." });
    expect(eventsOf(events, "retry")).toEqual([
      expect.objectContaining({ attempt: 1, inMs: 1000, reason: expect.stringContaining("429") as string }),
    ]);
  });

  it.each([45, 7200])("ends at once with the time of the reset when a usage limit lasts %i seconds", async (retryAfter) => {
    const { play, model } = await setStage([{ error: { status: 429, message: "slow down", retryAfter } }]);
    const before = Date.now();

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_rate_limited");
    const resetsAt = ending.outcome === "failed" ? Date.parse(ending.resetsAt ?? "") : 0;
    expect(resetsAt).toBeGreaterThanOrEqual(before + retryAfter * 1000);
    expect(resetsAt).toBeLessThanOrEqual(Date.now() + retryAfter * 1000);
    expect(model.requests).toHaveLength(1);
  });

  it.each([500, 529])("ends as model_overloaded when %i does not pass, after the retries it showed", async (status) => {
    const { play, model } = await setStage([{ error: { status, message: "no" } }], { maxRetries: 1 });

    const { ending, events } = await play();

    expect(codeOf(ending)).toBe("model_overloaded");
    expect(eventsOf(events, "retry")).toHaveLength(1);
    expect(eventsOf(events, "text")).toEqual([]);
    expect(model.requests).toHaveLength(2);
  });

  it("ends as model_bad_request when the model does not take the request", async () => {
    const { play } = await setStage([{ error: { status: 400, message: "nothing here is right" } }]);

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_bad_request");
    expect(ending).toHaveProperty("message", expect.stringContaining("nothing here is right"));
  });

  it("ends as model_unreachable when nobody listens", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    closed.close();
    const { play } = await setStage(
      [],
      { maxRetries: 1 },
      { backend: () => ({ childEnv: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "key" } }) },
    );

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_unreachable");
  });

  it.each(["end", "error-event"] as const)("asks again for an answer that broke off (%s), and says which one that was", async (how) => {
    const half: Reply = { text: "I was about to say something", chunkSize: 4, fault: { how, afterChunks: 2 } };
    const { play } = await setStage([half, { text: "Here it is." }], { maxRetries: 1 });

    const { ending, events } = await play();

    const [first, ...others] = new Set(eventsOf(events, "text").map(({ responseId }) => responseId));
    expect(others).toHaveLength(1);
    expect(eventsOf(events, "broken_off")).toEqual([{ type: "broken_off", responseId: first }]);
    expect(ending).toEqual({ outcome: "completed", text: "Here it is." });
  });

  it("says that the answer broke off, and not that the address is wrong, where it ends too early each time", async () => {
    const { play } = await setStage([{ text: "I was about to say something", chunkSize: 4, fault: { how: "end", afterChunks: 2 } }], {
      maxRetries: 1,
    });

    const { ending } = await play();

    expect(ending).toMatchObject({ code: "model_unreachable", message: expect.stringContaining("broke off in the middle") as string });
  });

  it("ends as model_unreachable when the stream is cut each time", async () => {
    const { play } = await setStage(
      [{ text: "I was about to say something", chunkSize: 4, chunkDelayMs: 50, fault: { how: "cut", afterChunks: 2 } }],
      { maxRetries: 1 },
    );

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_unreachable");
  });

  it("tells a response that was cut from the one that replaced it", async () => {
    const { play } = await setStage([
      { text: "I was about to say", chunkSize: 4, chunkDelayMs: 50, fault: { how: "cut", afterChunks: 2 } },
      { text: "I say it now." },
    ]);

    const { ending, events } = await play();

    expect(ending).toEqual({ outcome: "completed", text: "I say it now." });
    const texts = Map.groupBy(eventsOf(events, "text"), (event) => event.responseId);
    const said = [...texts.values()].map((chunks) => chunks.map(({ text }) => text).join(""));
    expect(said.at(-1)).toBe("I say it now.");
    // How much of the first one came through before the cut is the network's business.
    expect(said.slice(0, -1).every((part) => "I was ab".startsWith(part))).toBe(true);
  });

  it.each(["malformed", "html"] as const)("ends as model_unreachable when the answer is %s", async (how) => {
    const { play } = await setStage([{ text: "garbled", fault: { how } }], { maxRetries: 1 });

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_unreachable");
  });

  it("takes an answer without a stream when the stream was garbled, and its text arrives all the same", async () => {
    const { play } = await setStage([{ text: "garbled", fault: { how: "malformed" } }, { text: "In one piece." }]);

    const { ending, events } = await play();

    expect(ending).toEqual({ outcome: "completed", text: "In one piece." });
    expect(eventsOf(events, "text").map(({ text }) => text)).toEqual(["In one piece."]);
  });

  it("says when the limit of a subscription resets", async () => {
    const reset = Math.floor(Date.now() / 1000) + 7_200;
    const headers = {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(reset),
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
    };
    let url = "";
    const stage = await setStage(
      [{ error: { status: 429, message: "limit reached", retryAfter: 7_200, headers } }],
      {},
      { backend: () => ({ childEnv: { ANTHROPIC_BASE_URL: url, CLAUDE_CODE_OAUTH_TOKEN: "token-of-the-test" } }) },
    );
    url = stage.model.url;

    const { ending } = await stage.play();

    expect(codeOf(ending)).toBe("model_rate_limited");
    const resetsAt = ending.outcome === "failed" ? Date.parse(ending.resetsAt ?? "") / 1000 : 0;
    expect(Math.abs(resetsAt - reset)).toBeLessThan(60);
  });

  it("ends as model_stalled when the stream goes silent", async () => {
    const { play, exited } = await setStage([{ text: "I was just", chunkSize: 4, fault: { how: "stall", afterChunks: 2 } }], {
      stallMs: 1_500,
    });

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_stalled");
    expect(exited).toHaveLength(1);
  });

  it("ends as interrupted when the process is killed from outside", async () => {
    const { play, model, spawned } = await setStage([{ fault: { how: "hang" } }]);

    const played = play();
    await model.waitForRequest(1);
    process.kill(spawned[0] ?? 0, "SIGKILL");
    const { ending } = await played;

    expect(codeOf(ending)).toBe("interrupted");
    expect(ending).toHaveProperty("message", expect.stringContaining("SIGKILL"));
  });

  it("ends as session_expired when the conversation to resume is unknown", async () => {
    const { play, model } = await setStage([{ text: "who are you?" }]);

    const { ending } = await play({ conversation: { id: newSdkSessionId(), resume: true } });

    expect(codeOf(ending)).toBe("session_expired");
    expect(model.requests).toHaveLength(0);
  });

  it("ends as internal, with the folder named, when the working folder is missing", async () => {
    const { play, folder } = await setStage([{ text: "where am I?" }]);
    const cwd = `${folder}/missing`;

    const { ending } = await play({ folders: { cwd, read: [cwd], write: [] } });

    expect(codeOf(ending)).toBe("internal");
    expect(ending).toHaveProperty("message", expect.stringContaining(cwd));
  });

  it("ends as interrupted when the runner is closed, which counts it", async () => {
    const { runner, agentRun, model, spawned, exited } = await setStage([{ fault: { how: "hang" } }]);

    const played = readAll(runner.run(agentRun()));
    await model.waitForRequest(1);
    const closed = await runner.close();
    const { ending } = await played;
    const late = await readAll(runner.run(agentRun()));

    expect(closed).toEqual({ interrupted: 1 });
    expect(codeOf(ending)).toBe("interrupted");
    expect(codeOf(late.ending)).toBe("interrupted");
    expect(exited).toEqual(spawned);
    expect(model.requests).toHaveLength(1);
  });
});
