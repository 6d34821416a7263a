import { readFileSync, renameSync } from "node:fs";
import { mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { AgentEvent, Gate, GateDecision } from "../../core/agent/agent-run.ts";
import { newSdkSessionId } from "../../schema/ids.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { callOf, eventsOf, groupIsAlive, openStage, readAll, setStage, textResult, until } from "./agent-stage.testing.ts";
import type { Played, Stage } from "./agent-stage.testing.ts";
import { maxResultCharacters } from "../../core/agent/bound-text.ts";
import { projectNameOf } from "./transcript.ts";

describe("a run", () => {
  const said = "Grüße — こんにちは 👋\n\n  indented, and   spaced \n";
  const prompt = "/compact What is in @/etc/passwd ?";
  const twice = (name: string) => ({
    tools: [
      { name, input: { n: 1 } },
      { name, input: { n: 2 } },
    ],
  });
  const readers = { now: 0, met: Promise.withResolvers<void>() };
  const log: string[] = [];
  let strictCalls = 0;
  const acted: unknown[] = [];
  const tools = [
    {
      name: "read",
      description: "Returns when two are reading.",
      inputSchema: { type: "object" },
      readOnly: true,
      call: async () => {
        readers.now += 1;
        if (readers.now === 2) readers.met.resolve();
        await readers.met.promise;
        return textResult("read");
      },
    },
    {
      name: "change",
      description: "Notes when it begins and ends.",
      inputSchema: { type: "object" },
      call: async () => {
        log.push("begin");
        await new Promise(setImmediate);
        log.push("end");
        return textResult("changed");
      },
    },
    {
      name: "strict",
      description: "Takes a number.",
      inputSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
      call: () => {
        strictCalls += 1;
        return Promise.reject(new Error("The shelf is empty."));
      },
    },
    {
      name: "files.read/now",
      description: "Oddly named.",
      inputSchema: { type: "object", properties: { a: { $ref: "#/missing" } } },
      call: (input: unknown) => Promise.resolve(textResult(`got ${JSON.stringify(input)}`)),
    },
    {
      name: "much",
      description: "Returns much.",
      inputSchema: { type: "object" },
      call: (input: unknown) => Promise.resolve(textResult("x".repeat(Number(Object.values(input ?? {})[0])))),
    },
    {
      name: "act",
      description: "What the gate is asked about.",
      inputSchema: { type: "object" },
      call: (input: unknown) => {
        acted.push(input);
        return Promise.resolve(textResult("done"));
      },
    },
  ];
  const replies: Reply[] = [
    { text: said, chunkSize: 3, ...twice("mcp__stage__read") },
    twice("mcp__stage__change"),
    callOf("mcp__stage__strict", { count: 1 }),
    callOf("mcp__stage__strict", { count: "many" }),
    callOf("mcp__stage__absent"),
    callOf("mcp__stage__files_read_now", { a: 1 }),
    callOf("mcp__stage__much", { size: 150_000 }),
    callOf("mcp__stage__much", { size: 1_000_000 }),
    ...[1, 2, 3].map((n) => callOf("mcp__stage__act", { n })),
    { text: "Done.", chunkSize: 2 },
  ];
  const approval = Promise.withResolvers<GateDecision>();
  const answers: (() => Promise<GateDecision>)[] = [
    () => Promise.resolve({ allow: false, reason: "Not on a Sunday." }),
    () => Promise.reject(new Error("The desk is closed.")),
    () => approval.promise,
  ];
  let asked = 0;
  const gate: Gate = async ({ name }) =>
    name === "mcp__stage__act" ? ((await answers[asked++]?.()) ?? { allow: false, reason: "Asked too often." }) : { allow: true };
  let stage: Stage;
  let played: Played;
  beforeAll(async () => {
    const { close, ...open } = await openStage(replies);
    stage = open;
    const limits = { maxTurns: replies.length };
    const run = stage.runner.run(stage.agentRun({ prompt, toolServers: [{ name: "stage", tools }], gate, limits }));
    played = await readAll(seen(run, "tool_use", () => approval.resolve({ allow: true })));
    return close;
  });
  /** What the calls of a tool came to. */
  const resultsOf = (name: string) => {
    const ids = eventsOf(played.events, "tool_use").flatMap((use) => (use.name === `mcp__stage__${name}` ? [use.id] : []));
    return eventsOf(played.events, "tool_result").filter(({ id }) => ids.includes(id));
  };

  it("tells text once, in pieces that make up exactly what was said, and ends once with the last words", () => {
    const { events, ending } = played;

    const texts = Map.groupBy(eventsOf(events, "text"), (event) => event.responseId);
    expect([...texts.values()].map((chunks) => chunks.map(({ text }) => text).join(""))).toEqual([said, "Done."]);
    expect(eventsOf(events, "tool_use")[0]?.responseId).toBe([...texts.keys()][0]);
    expect(ending).toEqual({ outcome: "completed", text: "Done." });
    expect(eventsOf(events, "ended")).toHaveLength(1);
  });

  it("takes what the person says for text, whatever it looks like, and makes no model call of its own", () => {
    const { requests } = stage.model;

    expect(requests.map(({ conversation }) => conversation.userTexts)).toEqual(replies.map(() => [prompt]));
    expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain("root:x:0");
  });

  it("leaves no transcript of a conversation that nobody keeps", async () => {
    const files = await readdir(stage.folders.config, { recursive: true });

    expect(files.filter((name) => name.endsWith(".jsonl"))).toEqual([]);
  });

  it("runs tools side by side when they only read, and one after the other when they do not", () => {
    expect(resultsOf("read").map(({ isError }) => isError)).toEqual([false, false]);
    expect(resultsOf("change").map(({ isError }) => isError)).toEqual([false, false]);
    expect(log).toEqual(["begin", "end", "begin", "end"]);
  });

  it("tells the model when tools fail, get input that does not fit, or are not there", () => {
    const results = [...resultsOf("strict"), ...resultsOf("absent")];

    expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(JSON.stringify(results[0]?.content)).toContain("The shelf is empty.");
    expect(JSON.stringify(results[1]?.content)).toContain("count must be a whole number");
    expect(JSON.stringify(results[2]?.content)).toContain("No such tool");
    expect(strictCalls).toBe(1);
  });

  it("has tools with names and schemas that are not quite right", () => {
    expect(resultsOf("files_read_now")).toEqual([
      expect.objectContaining({ isError: false, content: [{ type: "text", text: 'got {"a":1}' }] }),
    ]);
  });

  it("takes tools that return much, cut with a note where it is too much (SEC-15)", () => {
    const [whole, cut] = resultsOf("much").map(({ content }) => JSON.stringify(content));

    expect(whole).toContain("x".repeat(150_000));
    expect(cut).toContain("x".repeat(maxResultCharacters));
    expect(cut).toContain("Cut here: the result has 1000000 characters");
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("Cut here: the result has 1000000 characters");
  });

  it("is gated: a refusal is told to the model, a gate that breaks refuses, and the run waits for one that takes its time", () => {
    expect(acted).toEqual([{ n: 3 }]);
    expect(resultsOf("act").map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(JSON.stringify(resultsOf("act")[0]?.content)).toContain("Not on a Sunday.");
  });
});

describe("a conversation", () => {
  it("goes on after it was stopped in the middle of the first answer, also when the caller takes it for new, and after its process was killed, in a working folder that was moved, with the system prompt of today (SEC-17)", async () => {
    const { runner, agentRun, play, model, spawned, cwd, folders } = await setStage([
      { text: "I was about to", chunkSize: 4, fault: { how: "stall", afterChunks: 2 } },
      { text: "I was about to", chunkSize: 4, fault: { how: "stall", afterChunks: 2 } },
      { text: "Where was I?" },
    ]);
    const conversation = { id: newSdkSessionId(), resume: false };
    const systemPrompt = "Yesterday's rules.";
    const playUntilText = (prompt: string, then: () => unknown, signal = new AbortController().signal) =>
      readAll(seen(runner.run(agentRun({ prompt, systemPrompt, conversation, signal })), "text", then));
    const moved = join(dirname(cwd), "elsewhere/work");

    const stop = new AbortController();
    const stopped = await playUntilText("first", () => stop.abort(), stop.signal);
    const left = groupIsAlive(spawned[0] ?? 0);
    const transcript = join(folders.config, "projects", projectNameOf(cwd), `${conversation.id}.jsonl`);
    const killed = await playUntilText("second", async () => {
      // The SDK writes down what it was told a moment later than it asks the model.
      await until(() => readFileSync(transcript, "utf8").includes('"second"'));
      process.kill(spawned[1] ?? 0, "SIGKILL");
    });
    await mkdir(dirname(moved));
    await rename(cwd, moved);
    const today = { systemPrompt: "Today's rules.", folders: { cwd: moved, read: [moved], write: [] } };
    const { ending } = await play({ prompt: "third", conversation: { ...conversation, resume: true }, ...today });

    expect(stopped.ending).toEqual({ outcome: "failed", code: "stopped", message: "The run was stopped." });
    expect(left).toBe(false);
    expect(await model.requests[0]?.ended).toBe("abandoned");
    expect(killed.ending).toMatchObject({ code: "interrupted", message: expect.stringContaining("SIGKILL") as string });
    expect(ending).toEqual({ outcome: "completed", text: "Where was I?" });
    expect(model.requests[1]?.conversation.userTexts.join()).toContain("first");
    const { userTexts = [], system = "" } = model.requests[2]?.conversation ?? {};
    for (const text of ["first", "second", "third"]) expect(userTexts.join()).toContain(text);
    expect(system).toContain("Today's rules.");
    expect(system).not.toContain("Yesterday's rules.");
    expect(model.requests).toHaveLength(3);
  });

  it("whose transcript turns up only when the SDK looks for it is gone on with", async () => {
    const transcript = { from: "", to: "" };
    const onSpawn = () => {
      if (transcript.from !== "") renameSync(transcript.from, transcript.to);
      transcript.from = "";
    };
    const { play, model, cwd, folders } = await setStage([{ text: "One." }, { text: "Two." }], {}, { onSpawn });
    const id = newSdkSessionId();
    await play({ prompt: "first", conversation: { id, resume: false } });
    transcript.to = join(folders.config, "projects", projectNameOf(cwd), `${id}.jsonl`);
    renameSync(transcript.to, `${transcript.to}.hidden`);
    transcript.from = `${transcript.to}.hidden`;

    const { ending } = await play({ prompt: "second", conversation: { id, resume: false } });

    expect(ending).toEqual({ outcome: "completed", text: "Two." });
    expect(model.requests[1]?.conversation.userTexts).toEqual(["first", "second"]);
  });

  it("has one run at a time; the second waits, sees the first and counts only its own cost, also where the path of the folder is too long for the SDK to name one after it", async () => {
    const { play, model, cwd, spawned } = await setStage([{ text: "One.", delayMs: 200 }, { text: "Two." }]);
    const long = join(cwd, "l".repeat(120), "o".repeat(120), "ses_ng");
    await mkdir(long, { recursive: true });
    const talk = { folders: { cwd: long, read: [long], write: [] }, conversation: { id: newSdkSessionId(), resume: false } };

    const both = await Promise.all([play({ ...talk, prompt: "first" }), play({ ...talk, prompt: "/clear" })]);

    expect(both.map(({ ending }) => ending)).toEqual([
      { outcome: "completed", text: "One." },
      { outcome: "completed", text: "Two." },
    ]);
    expect(model.requests[1]?.conversation.userTexts).toEqual(["first", "/clear"]);
    expect(spawned).toHaveLength(2);
    const [before, after] = both.map(({ events }) => eventsOf(events, "usage").at(-1));
    expect(after?.costUsd).toBeLessThan((before?.costUsd ?? 0) * 2);
    expect(after?.turns).toBe(1);
  });
});

/** Does something when the first event of a kind comes. */
async function* seen(events: AsyncIterable<AgentEvent>, type: AgentEvent["type"], then: () => unknown): AsyncGenerator<AgentEvent> {
  let isSeen = false;
  for await (const event of events) {
    yield event;
    if (event.type === type && !isSeen) await then();
    isSeen ||= event.type === type;
  }
}
