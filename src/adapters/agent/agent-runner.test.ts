import { renameSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent, Gate, GateDecision } from "../../core/agent/agent-run.ts";
import { newSdkSessionId } from "../../schema/ids.ts";
import { callOf, eventsOf, setStage, stageTool, textResult } from "./agent-stage.testing.ts";
import { maxResultCharacters } from "./bound-result.ts";
import { projectNameOf } from "./transcript.ts";

describe("text", () => {
  it("arrives once, in pieces that make up exactly what was said", async () => {
    const said = "Grüße — こんにちは 👋\n\n  indented, and   spaced \n";
    const { play } = await setStage([
      { text: said, chunkSize: 3, tools: [{ name: "mcp__stage__look", input: {} }] },
      { text: "Done.", chunkSize: 2 },
    ]);

    const { events, ending } = await play({ toolServers: stageTool("look") });

    const texts = Map.groupBy(eventsOf(events, "text"), (event) => event.responseId);
    expect([...texts.values()].map((chunks) => chunks.map(({ text }) => text).join(""))).toEqual([said, "Done."]);
    expect(eventsOf(events, "tool_use")[0]?.responseId).toBe([...texts.keys()][0]);
    expect(ending).toEqual({ outcome: "completed", text: "Done." });
  });

  it("of the person is only text, whatever it looks like, and costs one model call", async () => {
    const { play, model } = await setStage([{ text: "I see." }]);
    const prompts = ["What is in @/etc/passwd ?", "/clear", "/compact now"];

    for (const prompt of prompts) await play({ prompt });

    expect(model.requests.map(({ conversation }) => conversation.userTexts)).toEqual(prompts.map((prompt) => [prompt]));
    expect(model.requests.map(({ body }) => JSON.stringify(body)).join()).not.toContain("root:x:0");
  });
});

describe("a conversation", () => {
  it("goes on where it was, with the system prompt of today, and counts only its own cost", async () => {
    const { play, model } = await setStage([{ text: "Nice to meet you, Ada." }, { text: "Ada." }]);
    const id = newSdkSessionId();

    const first = await play({ prompt: "I am Ada.", systemPrompt: "Yesterday's rules.", conversation: { id, resume: false } });
    const second = await play({ prompt: "Who am I?", systemPrompt: "Today's rules.", conversation: { id, resume: true } });

    expect(second.ending).toEqual({ outcome: "completed", text: "Ada." });
    expect(model.requests[1]?.conversation.userTexts).toEqual(["I am Ada.", "Who am I?"]);
    expect(model.requests[1]?.conversation.system).toContain("Today's rules.");
    expect(model.requests[1]?.conversation.system).not.toContain("Yesterday's rules.");
    expect(model.requests).toHaveLength(2);
    const [before, after] = [first, second].map(({ events }) => eventsOf(events, "usage").at(-1));
    expect(after?.costUsd).toBeLessThan((before?.costUsd ?? 0) * 2);
    expect(after?.turns).toBe(1);
  });

  it("that a crash left behind is resumed even when the caller takes it for new", async () => {
    const { play, model } = await setStage([{ text: "One." }, { text: "Two." }]);
    const id = newSdkSessionId();

    await play({ prompt: "first", conversation: { id, resume: false } });
    const { ending } = await play({ prompt: "second", conversation: { id, resume: false } });

    expect(ending).toEqual({ outcome: "completed", text: "Two." });
    expect(model.requests[1]?.conversation.userTexts).toEqual(["first", "second"]);
  });

  it("is found and goes on where the path of its working folder is too long for the SDK to name a folder after it", async () => {
    const { play, cwd, spawned } = await setStage([{ text: "One." }, { text: "Two." }]);
    const long = join(cwd, "l".repeat(120), "o".repeat(120), "ses_ng");
    await mkdir(long, { recursive: true });
    const talk = { folders: { cwd: long, read: [long], write: [] }, conversation: { id: newSdkSessionId(), resume: false } };

    await play(talk);
    const { ending } = await play(talk);

    expect(ending).toEqual({ outcome: "completed", text: "Two." });
    expect(spawned).toHaveLength(2);
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

  it.each(["killed", "stopped"])("goes on after its process was %s in the middle of the first answer", async (how) => {
    const { runner, agentRun, play, model, spawned } = await setStage([
      { text: "I was about to", chunkSize: 4, fault: { how: "stall", afterChunks: 2 } },
      { text: "Where was I?" },
    ]);
    const id = newSdkSessionId();
    const stop = new AbortController();
    for await (const event of runner.run(agentRun({ prompt: "first", conversation: { id, resume: false }, signal: stop.signal }))) {
      if (event.type === "text" && how === "stopped") stop.abort();
      if (event.type === "text" && how === "killed") process.kill(spawned[0] ?? 0, "SIGKILL");
    }

    const { ending } = await play({ prompt: "second", conversation: { id, resume: false } });

    expect(ending).toEqual({ outcome: "completed", text: "Where was I?" });
    expect(model.requests[1]?.conversation.userTexts.at(-1)).toContain("second");
  });

  it("has one run at a time; the second waits and sees the first", async () => {
    const { play, model } = await setStage([{ text: "One.", delayMs: 200 }, { text: "Two." }]);
    const id = newSdkSessionId();

    const both = await Promise.all([
      play({ prompt: "first", conversation: { id, resume: false } }),
      play({ prompt: "second", conversation: { id, resume: false } }),
    ]);

    expect(both.map(({ ending }) => ending)).toEqual([
      { outcome: "completed", text: "One." },
      { outcome: "completed", text: "Two." },
    ]);
    expect(model.requests[1]?.conversation.userTexts).toEqual(["first", "second"]);
    expect(eventsOf(both[1]?.events ?? [], "waiting")).toEqual([{ type: "waiting", for: "slot" }]);
  });

  it("that nobody keeps leaves no transcript", async () => {
    const { play, folders } = await setStage([{ text: "Forget me." }]);

    await play({ conversation: null });

    const files = await readdir(folders.config, { recursive: true });
    expect(files.filter((name) => name.endsWith(".jsonl"))).toEqual([]);
  });
});

describe("tools of ours", () => {
  it("run side by side when they only read, and one after the other when they do not", async () => {
    const twice = (name: string) => ({
      tools: [
        { name, input: { n: 1 } },
        { name, input: { n: 2 } },
      ],
    });
    const stage = await setStage([twice("mcp__stage__read"), twice("mcp__stage__change"), { text: "Done." }]);
    const log: string[] = [];
    const meeting = Promise.withResolvers<void>();
    let readers = 0;
    const tools = [
      {
        name: "read",
        description: "Returns when two are reading.",
        inputSchema: { type: "object" },
        readOnly: true,
        call: async () => {
          readers += 1;
          if (readers === 2) meeting.resolve();
          await meeting.promise;
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
    ];

    const { ending, events } = await stage.play({ toolServers: [{ name: "stage", tools }] });

    expect(ending).toEqual({ outcome: "completed", text: "Done." });
    expect(log).toEqual(["begin", "end", "begin", "end"]);
    const uses = eventsOf(events, "tool_use").map(({ id }) => id);
    expect(
      eventsOf(events, "tool_result")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(uses.toSorted());
    expect(uses).toHaveLength(4);
  });

  it("tell the model when they fail, get input that does not fit, or are not there", async () => {
    const stage = await setStage([
      callOf("mcp__stage__strict", { count: 1 }),
      callOf("mcp__stage__strict", { count: "many" }),
      callOf("mcp__stage__absent"),
      { text: "Done." },
    ]);
    let calls = 0;
    const strict = {
      name: "strict",
      description: "Takes a number.",
      inputSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
      call: () => {
        calls += 1;
        return Promise.reject(new Error("The shelf is empty."));
      },
    };

    const { ending, events } = await stage.play({ toolServers: [{ name: "stage", tools: [strict] }] });

    const results = eventsOf(events, "tool_result");
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(JSON.stringify(results[0]?.content)).toContain("The shelf is empty.");
    expect(JSON.stringify(results[1]?.content)).toContain("count must be a whole number");
    expect(JSON.stringify(results[2]?.content)).toContain("No such tool");
    expect(calls).toBe(1);
    expect(ending.outcome).toBe("completed");
  });

  it("may have names and schemas that are not quite right", async () => {
    const stage = await setStage([callOf("mcp__stage__files_read_now", { a: 1 }), { text: "Done." }]);
    const odd = {
      name: "files.read/now",
      description: "Oddly named.",
      inputSchema: { type: "object", properties: { a: { $ref: "#/missing" } } },
      call: (input: unknown) => Promise.resolve(textResult(`got ${JSON.stringify(input)}`)),
    };

    const { events } = await stage.play({ toolServers: [{ name: "stage", tools: [odd] }] });

    expect(eventsOf(events, "tool_result")).toEqual([
      expect.objectContaining({ isError: false, content: [{ type: "text", text: 'got {"a":1}' }] }),
    ]);
  });

  it("may return much, and are cut with a note where it is too much", async () => {
    const stage = await setStage([
      callOf("mcp__stage__much", { size: 150_000 }),
      callOf("mcp__stage__much", { size: 1_000_000 }),
      { text: "Done." },
    ]);
    const toolServers = stageTool("much", (input) => Promise.resolve(textResult("x".repeat(Number(Object.values(input ?? {})[0])))));

    const { events } = await stage.play({ toolServers });

    const [whole, cut] = eventsOf(events, "tool_result").map(({ content }) => JSON.stringify(content));
    expect(whole).toContain("x".repeat(150_000));
    expect(cut).toContain("x".repeat(maxResultCharacters));
    expect(cut).toContain("Cut here: the result has 1000000 characters");
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("Cut here: the result has 1000000 characters");
  });

  it("are gated: a refusal is told to the model, a gate that breaks refuses, and the run waits for a person who takes long", async () => {
    const stage = await setStage((number) => (number < 4 ? callOf("mcp__stage__act", { n: number }) : { text: "Done." }));
    const approval = Promise.withResolvers<GateDecision>();
    const answers: (() => Promise<GateDecision>)[] = [
      () => Promise.resolve({ allow: false, reason: "Not on a Sunday." }),
      () => Promise.reject(new Error("The desk is closed.")),
      () => approval.promise,
    ];
    const acted: unknown[] = [];
    const toolServers = stageTool("act", (input) => {
      acted.push(input);
      return Promise.resolve(textResult("done"));
    });
    let asked = 0;
    const gate: Gate = async () => (await answers[asked++]?.()) ?? { allow: false, reason: "Asked too often." };
    const events: AgentEvent[] = [];

    for await (const event of stage.runner.run(stage.agentRun({ toolServers, gate }))) {
      events.push(event);
      if (event.type === "waiting") approval.resolve({ allow: true });
    }

    expect(acted).toEqual([{ n: 3 }]);
    expect(eventsOf(events, "waiting")).toEqual([{ type: "waiting", for: "person" }]);
    expect(eventsOf(events, "tool_result").map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(JSON.stringify(eventsOf(events, "tool_result")[0]?.content)).toContain("Not on a Sunday.");
    expect(events.at(-1)).toEqual({ type: "ended", ending: { outcome: "completed", text: "Done." } });
  });
});

describe("built-in tools", () => {
  it("read in the run's folders and write where they may", async () => {
    const stage = await setStage((number) => {
      if (number === 1) return callOf("Write", { file_path: "artifacts/deep/new.md", content: "# Plan\nfirst line\n" });
      if (number === 2)
        return callOf("Edit", { file_path: join(stage.cwd, "artifacts/deep/new.md"), old_string: "first", new_string: "second" });
      if (number === 3) return callOf("Grep", { pattern: "second", output_mode: "content" });
      if (number === 4) return callOf("Glob", { pattern: "**/*.md" });
      if (number === 5) return callOf("Read", { file_path: "artifacts/deep/new.md" });
      return { text: "Done." };
    });
    const write = [join(stage.cwd, "artifacts")];

    const { events } = await stage.play({
      builtInTools: ["Read", "Grep", "Glob", "Write", "Edit"],
      folders: { cwd: stage.cwd, read: [stage.cwd], write },
    });

    const results = eventsOf(events, "tool_result");
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, false]);
    expect(await readFile(join(stage.cwd, "artifacts/deep/new.md"), "utf8")).toBe("# Plan\nsecond line\n");
    expect(JSON.stringify(results[2]?.content)).toContain("second line");
    expect(JSON.stringify(results[3]?.content)).toContain("new.md");
    expect(JSON.stringify(results[4]?.content)).toContain("second line");
  });
});
