import { describe, expect, it } from "vitest";
import type { Gate, GatedCall, Tool } from "../../core/agent/agent-run.ts";
import type { ToolCall } from "../../scripted-model/reply.ts";
import { eventsOf, setStage, textResult } from "./agent-stage.testing.ts";
import { compareTools } from "./offered-tools.ts";

const object = { type: "object" };

/** A tool that returns its input. */
const tool = (name: string, inputSchema: Record<string, unknown> = object): Tool => ({
  name,
  description: "A tool of the test.",
  inputSchema,
  call: (input) => Promise.resolve(textResult(`got ${JSON.stringify(input)}`)),
});

const byId = {
  type: "object",
  oneOf: [
    { properties: { id: { $ref: "#/$defs/id" } }, required: ["id"], additionalProperties: false },
    { properties: { title: { type: "string" } }, required: ["title"], additionalProperties: false },
  ],
  $defs: { id: { type: "integer" } },
};
const call = (name: string, input: ToolCall["input"]) => ({ name: `mcp__shelf__${name}`, input });

describe("a tool whose schema the SDK would drop", () => {
  const shelf = {
    name: "shelf",
    tools: [
      tool("find", byId),
      tool("say", { type: "string", minLength: 2 }),
      tool("filter", { ...object, properties: { "id[]": {} } }),
      tool("plain"),
    ],
  };

  it("is offered with its input wrapped, and the gate, the events and the tool get the input unwrapped", async () => {
    const stage = await setStage([
      {
        tools: [
          call("find", { input: { id: 7 } }),
          call("say", { input: "hello" }),
          call("filter", { input: { "id[]": [1] } }),
          call("plain", { input: { id: 7 } }),
        ],
      },
      { text: "Done." },
    ]);
    const asked: GatedCall[] = [];
    const gate: Gate = (each) => Promise.resolve({ allow: true, ...(asked.push(each) === 1 ? { input: { id: 8 } } : {}) });

    const { events, ending } = await stage.play({ toolServers: [shelf], gate });

    const inputs = [{ id: 7 }, "hello", { "id[]": [1] }, { input: { id: 7 } }];
    expect(ending).toEqual({ outcome: "completed", text: "Done." });
    expect(asked.map(({ input }) => input)).toEqual(inputs);
    expect(eventsOf(events, "tool_use").map(({ input }) => input)).toEqual(inputs);
    const results = [{ id: 8 }, ...inputs.slice(1)].map((input) => textResult(`got ${JSON.stringify(input)}`).content);
    expect(eventsOf(events, "tool_result").map(({ content }) => content)).toEqual(results);
    expect(stage.model.requests[0]?.body["tools"]).toContainEqual(
      expect.objectContaining({
        name: "mcp__shelf__find",
        input_schema: expect.objectContaining({
          properties: {
            input: { ...byId, oneOf: [{ ...byId.oneOf[0], properties: { id: { $ref: "#/properties/input/$defs/id" } } }, byId.oneOf[1]] },
          },
        }) as unknown,
      }),
    );
  });

  it("fails in words for an input that does not fit or is not wrapped, which the gate does not see", async () => {
    const calls = [call("find", { input: { id: "x" } }), call("find", { id: 7 }), call("say", { input: "x" })];
    const { play } = await setStage([{ tools: calls }, { text: "Done." }]);
    const asked: unknown[] = [];
    const gate: Gate = ({ input }) => {
      asked.push(input);
      return Promise.resolve({ allow: true });
    };

    const { events } = await play({ toolServers: [shelf], gate });

    const results = eventsOf(events, "tool_result");
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(JSON.stringify(results[0]?.content)).toContain("The input of find does not fit: id must be a whole number");
    expect(JSON.stringify(results[1]?.content)).toContain('give it as an object with the one property \\"input\\"');
    expect(JSON.stringify(results[2]?.content)).toContain("must have at least 2 characters");
    expect(asked).toEqual([{ id: "x" }, "x"]);
    expect(eventsOf(events, "tool_use")[1]?.input).toEqual({ id: 7 });
  });
});

describe("a run whose tools the SDK does not offer to the model", () => {
  const broken = { name: "broken", tools: [tool("a"), tool("b", { ...object, required: "x" })] };
  const rivals = { name: "rivals", tools: [tool("a.b"), tool("a_b")] };
  const longest = "x".repeat(128 - "mcp__long__".length);
  const long = { name: "long", tools: [tool(longest), tool(`${longest}x`)] };

  it.each([
    ["all of a server", broken, '"mcp__broken__a", "mcp__broken__b"'],
    ["one of two that get one name", rivals, '"mcp__rivals__a_b"'],
    ["one with a name that is too long", long, `"mcp__long__${longest}x"`],
  ])("ends as tool_missing, with the names, before any tool runs: %s", async (_which, server, named) => {
    const { play } = await setStage([{ tools: [call("plain", {})] }, { text: "Done." }]);
    const ran: unknown[] = [];
    const plain = { ...tool("plain"), call: (input: unknown) => Promise.resolve(textResult(String(ran.push(input)))) };

    const { ending, events } = await play({ builtInTools: ["Read"], toolServers: [{ name: "shelf", tools: [plain] }, server] });

    expect(ending).toMatchObject({
      outcome: "failed",
      code: "tool_missing",
      message: expect.stringContaining(`did not offer ${named} to`) as string,
    });
    expect(ran).toEqual([]);
    expect(events.map(({ type }) => type)).not.toContain("tool_use");
  });

  it("ends so in a process that was warmed as well", async () => {
    const stage = await setStage([{ text: "Done." }]);
    const toolServers = [broken];
    await stage.runner.warm(stage.agentRun({ toolServers }), "session");

    const { ending } = await stage.play({ toolServers, warmKey: "session" });

    expect(ending).toMatchObject({ code: "tool_missing" });
    expect(stage.spawned).toHaveLength(1);
  });
});

describe("comparing what is offered with what was asked for", () => {
  it("finds what is missing and what is too much", () => {
    const shelf = { name: "shelf", member: "shelf", tools: [tool("a"), tool("b")] };
    const hall = { name: "guild_hall", tools: [tool("c.d"), tool("c/e")] };
    const run = { builtInTools: ["Read", "Grep"] as const, toolServers: [shelf, hall] };

    const { missing, extra } = compareTools(run, ["Bash", "Read", "mcp__shelf__b", "mcp__other__b", "mcp__guild_hall__c_d"]);

    expect(missing).toEqual([
      { name: "Grep", member: null },
      { name: "mcp__shelf__a", member: "shelf" },
      { name: "mcp__guild_hall__c_e", member: null },
    ]);
    expect(extra).toEqual(["Bash", "mcp__other__b"]);
  });
});
