import { describe, expect, it } from "vitest";
import { afterTool, ask, asking, failureOf, post } from "../ask-model.fixture.ts";
import { playScript } from "../play-script.ts";
import { checkScript } from "../script.ts";
import { demoScript } from "./demo-script.ts";
import { startDemoModel } from "./start-demo-model.ts";

const reply = playScript(demoScript);
const tools = [{ name: "Glob" }, { name: "Read" }, { name: "Write" }];

describe("the demo", () => {
  it("is a script that can be played", () => {
    expect(checkScript(demoScript, "demo")).toEqual(demoScript);
  });

  it("says in every answer that it is scripted", () => {
    const answers = demoScript.turns.map((turn) => turn.reply.text ?? turn.reply.error?.message);

    for (const answer of answers) expect(answer).toContain("Scripted demo, no AI:");
  });

  it("bills nothing", () => {
    expect(demoScript.defaults?.usage).toEqual({ inputTokens: 0, outputTokens: 0 });
    expect(demoScript.turns.filter((turn) => turn.reply.usage !== undefined)).toEqual([]);
  });

  it.each(["hi", "Hello there", "help", "What can you do?"])("greets and says what to try: %s", (text) => {
    expect(reply(asking(text))?.text).toContain("**tour**");
  });

  it.each(["What is the capital of France?", "Please refactor src/main.ts", "tourmaline prices", "I made an error", "{{user}}"])(
    "does not pretend to understand anything else: %s",
    (text) => {
      const answer = reply(asking(text))?.text;

      expect(answer).toContain("I do not understand text");
      expect(answer).toContain("**tour**");
      expect(answer).not.toContain(text);
    },
  );

  it.each(["tour", "failing tool", "job", "markdown", "long answer", "error"])(
    "has something of its own for each word it names: %s",
    (text) => {
      const answer = reply(asking(text, { tools }))?.text;

      expect(answer).toBeDefined();
      expect(answer).not.toContain("I do not understand text");
    },
  );

  it("has something for each error it names", () => {
    const menu = reply(asking("error"))?.text ?? "";
    const named = [...menu.matchAll(/\*\*(error: [^*]+)\*\*/g)].map((match) => match[1] ?? "");

    const answers = named.map((text) => reply(asking(text)));

    expect(named.length).toBeGreaterThan(3);
    expect(answers.every((answer) => answer?.error !== undefined || answer?.fault !== undefined)).toBe(true);
  });
});

describe("the tour", () => {
  it("lists, reads, writes and sums up", () => {
    const steps = [
      asking("tour", { tools }),
      afterTool("tour", { name: "Glob", result: "context.md" }, { tools }),
      afterTool("tour", { name: "Read", result: "# Context" }, { tools }),
      afterTool("tour", { name: "Write", result: "File created" }, { tools }),
    ];

    const answers = steps.map((step) => reply(step));

    expect(answers.map((answer) => answer?.tools?.[0]?.name)).toEqual(["Glob", "Read", "Write", undefined]);
    expect(answers[2]?.tools?.[0]?.input).toMatchObject({ file_path: "artifacts/tour.md" });
    expect(answers[3]?.text).toContain("`artifacts/tour.md`");
  });

  it("does without Write where it is not offered", () => {
    const answer = reply(afterTool("tour", { name: "Read", result: "# Context" }, { tools: [{ name: "Glob" }, { name: "Read" }] }));

    expect(answer?.tools).toBeUndefined();
  });

  it("says so when a tool refuses, and claims no file", () => {
    const answer = reply(afterTool("tour", { name: "Write", result: "Outside of the folder", isError: true }, { tools }));

    expect(answer?.text).toContain('answered "Outside of the folder"');
    expect(answer?.text).not.toContain("is written");
  });
});

describe("a demo of jobs", () => {
  const dispatch = "mcp__researcher-dispatch__dispatch";

  it("dispatches one where the researcher is in the session, and does not wait for it", () => {
    const offered = { tools: [{ name: dispatch }] };

    const first = reply(asking("job", offered));
    const then = reply(afterTool("job", { name: dispatch, result: "Dispatched." }, offered));

    expect(first?.tools?.[0]?.name).toBe(dispatch);
    expect(Object.keys(first?.tools?.[0]?.input ?? {}).toSorted()).toEqual(["description", "task"]);
    expect(then?.text).toContain("under way");
    expect(reply(asking("job"))?.text).toContain("not in this session");
  });

  it("answers a job as one whatever its task says, and leaves memories alone", () => {
    const submit = { name: "mcp__worker-internal__submit_result" };

    const jobs = ["tour", "hi", "What is the capital of France?"].map((task) => reply(asking(task, { tools: [submit] })));

    expect(jobs.map((job) => job?.tools?.[0]?.name)).toEqual(jobs.map(() => "mcp__worker-internal__update_summary"));
    expect(reply(asking("<memory>", { system: "You condense the memory of a worker." }))?.error?.status).toBe(400);
  });
});

describe("the demo model", () => {
  it("plays the demo over HTTP and remembers only a few calls", async () => {
    await using model = await disposable();

    for (let count = 0; count < 12; count += 1) await ask(model.model, asking("hi"));

    expect(model.model.requests).toHaveLength(8);
  });

  it("is overloaded for two attempts and then recovers", async () => {
    await using model = await disposable();
    const request = asking("error: overloaded briefly");

    const failures = [await failureOf(await post(model.model, request)), await failureOf(await post(model.model, request))];
    const answer = await ask(model.model, request);

    expect(failures.map((failure) => failure.type)).toEqual(["overloaded_error", "overloaded_error"]);
    expect(answer.content[0]?.text).toContain("this is the third");
  });

  it("names the time to wait when its usage limit is reached", async () => {
    await using model = await disposable();

    const response = await post(model.model, asking("error: usage limit"));

    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("3600");
  });
});

async function disposable() {
  const model = await startDemoModel();
  return { model, [Symbol.asyncDispose]: () => model.close() };
}
