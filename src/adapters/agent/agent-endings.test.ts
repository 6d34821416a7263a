import { createServer } from "node:net";
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import type { AgentEnding } from "../../core/agent/agent-run.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { callOf, eventsOf, openStage, readAll, setStage, stageTool } from "./agent-stage.testing.ts";
import type { Played } from "./agent-stage.testing.ts";

const codeOf = (ending: AgentEnding): string => (ending.outcome === "failed" ? ending.code : ending.outcome);

describe("every ending of the SDK is one of ours", () => {
  it("ends as max_turns at the limit, after exactly that many model calls", async () => {
    const { play, model } = await setStage([callOf("mcp__stage__again")]);

    const { ending } = await play({ limits: { maxTurns: 2 }, toolServers: stageTool("again") });

    expect(codeOf(ending)).toBe("max_turns");
    expect(ending).toHaveProperty("message", expect.stringContaining("2 turns"));
    expect(model.requests).toHaveLength(2);
  });

  it("ends as model_auth at the first 401", async () => {
    const { play, model } = await setStage([{ error: { status: 401, message: "invalid key key-of-the-test" } }]);

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_auth");
    expect(JSON.stringify(ending)).not.toContain("key-of-the-test");
    expect(model.requests).toHaveLength(1);
  });

  it("ends at once with the time of the reset when a usage limit lasts longer than anybody waits", async () => {
    const retryAfter = 45;
    const { play, model } = await setStage([{ error: { status: 429, message: "slow down", retryAfter } }]);
    const before = Date.now();

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_rate_limited");
    const resetsAt = ending.outcome === "failed" ? Date.parse(ending.resetsAt ?? "") : 0;
    expect(resetsAt).toBeGreaterThanOrEqual(before + retryAfter * 1000);
    expect(resetsAt).toBeLessThanOrEqual(Date.now() + retryAfter * 1000);
    expect(model.requests).toHaveLength(1);
  });

  it("ends as model_overloaded when 529 does not pass, after the retries it showed", async () => {
    const { play, model } = await setStage([{ error: { status: 529, message: "no" } }], { maxRetries: 1 });

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

  it("says that the answer broke off, and not that the address is wrong, where it ends too early each time", async () => {
    const { play } = await setStage([{ text: "I was about to say something", chunkSize: 4, fault: { how: "end", afterChunks: 2 } }], {
      maxRetries: 1,
    });

    const { ending } = await play();

    expect(ending).toMatchObject({ code: "model_unreachable", message: expect.stringContaining("broke off in the middle") as string });
  });

  it("ends as model_bad_request when an answer has no end, and what was said first is kept (SEC-15)", async () => {
    const { play } = await setStage([{ text: "endless ".repeat(1_000_000), chunkSize: 100_000 }]);

    const { ending, events } = await play();

    expect(codeOf(ending)).toBe("model_bad_request");
    expect(ending).toHaveProperty("message", expect.stringContaining("went on after 4,000,000 characters"));
    const said = eventsOf(events, "text").reduce((sum, { text }) => sum + text.length, 0);
    expect(said).toBeGreaterThan(999_000);
    expect(said).toBeLessThan(1_001_000);
  });

  it("ends as model_unreachable when the answer is a page", async () => {
    const { play } = await setStage([{ text: "garbled", fault: { how: "html" } }], { maxRetries: 1 });

    const { ending } = await play();

    expect(codeOf(ending)).toBe("model_unreachable");
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

describe("a run goes on", () => {
  const half = (text: string, how: "end" | "error-event" | "cut"): Reply => ({
    text,
    chunkSize: 4,
    chunkDelayMs: 50,
    fault: { how, afterChunks: 2 },
  });
  const next = (text: string): Reply => ({ text, ...callOf("mcp__stage__again") });
  const replies: Reply[] = [
    { error: { status: 429, message: "slow down", retryAfter: 1 } },
    next("One."),
    half("ends too early", "end"),
    next("Two."),
    half("reports an overload", "error-event"),
    next("Three."),
    half("is cut off", "cut"),
    next("Four."),
    { text: "garbled", fault: { how: "malformed" } },
    { text: "In one piece." },
  ];
  let played: Played;
  let said: { responseId: string; text: string }[];
  beforeAll(async () => {
    const { play, close } = await openStage(replies);
    played = await play({ toolServers: stageTool("again") });
    const texts = Map.groupBy(eventsOf(played.events, "text"), ({ responseId }) => responseId);
    said = [...texts].map(([responseId, chunks]) => ({ responseId, text: chunks.map(({ text }) => text).join("") }));
    return close;
  });

  it("after a usage limit that resets soon, and says what it waits for", () => {
    expect(eventsOf(played.events, "retry")[0]).toMatchObject({ attempt: 1, inMs: 1000, reason: expect.stringContaining("429") as string });
    expect(said[0]?.text).toBe("One.");
  });

  it.each(["ends too", "reports "])(
    "after an answer that broke off (%s), is given another one, and says which one that was",
    (beginning) => {
      const broken = said.find(({ text }) => text === beginning);

      expect(broken).toBeDefined();
      expect(eventsOf(played.events, "broken_off")).toContainEqual({ type: "broken_off", responseId: broken?.responseId });
    },
  );

  it("after an answer whose connection was cut, which is not taken for part of the one that replaced it", () => {
    const at = said.findIndex(({ text }) => text === "Four.");
    const between = said.slice(said.findIndex(({ text }) => text === "Three.") + 1, at);

    expect(at).toBeGreaterThan(0);
    // How much of the first one came through before the cut is the network's business.
    expect(between.every(({ text }) => "is cut o".startsWith(text))).toBe(true);
  });

  it("without a stream where the stream was garbled, and the text arrives all the same, once", () => {
    expect(said.at(-1)?.text).toBe("In one piece.");
    expect(played.ending).toEqual({ outcome: "completed", text: "In one piece." });
  });
});
