import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { allow, serverOf } from "./stage-tools.ts";
import type { StageTool } from "./stage-tools.ts";
import { setStage } from "./stage.ts";
import type { Change, Stage } from "./stage.ts";

const text = { type: "string" };
const asked = { type: "object", properties: { question: text } };

const named = (...names: string[]): StageTool[] => names.map((name) => ({ name, call: () => `this is ${name}` }));

/** The tools that the SDK offers to the model. Its first message must list the same. */
async function offered({ play, model }: Stage, servers: Record<string, StageTool[] | null>, change: Change = {}) {
  const all = Object.entries(servers).map(([name, tools]) => [name, serverOf(name, tools)] as const);
  const played = await play("Go.", { mcpServers: Object.fromEntries(all), ...change });
  const init = played.messages.find(
    (message): message is Extract<SDKMessage, { subtype: "init" }> => "subtype" in message && message.subtype === "init",
  );
  const tools = model.requests[0]?.conversation.tools.toSorted();
  expect(init?.tools.toSorted()).toEqual(tools);
  expect(init?.mcp_servers.map(({ status }) => status)).toEqual(all.map(() => "connected"));
  expect([played.result?.is_error, played.error]).toEqual([false, null]);
  return { tools, shown: played.shown };
}

describe.concurrent("the SDK silently drops, with every server reported as connected,", () => {
  it("a tool with oneOf, anyOf or allOf at the top of its schema, also an empty one, but not below", async (context) => {
    const stage = await setStage(context, [{ text: "Done." }]);
    const kinds = ["oneOf", "anyOf", "allOf"];
    const work = kinds.flatMap((kind) => [
      { name: kind, inputSchema: { type: "object", [kind]: [asked] } },
      { name: `no-${kind}`, inputSchema: { type: "object", [kind]: [] } },
    ]);
    const below = { name: "below", inputSchema: { type: "object", properties: { value: { oneOf: [text, { type: "number" }] } } } };

    const { tools } = await offered(stage, { work: [...work, below] });

    expect(tools).toEqual(["mcp__work__below"]);
  });

  it.for([
    ["is of another type", { type: "string" }],
    ["may also be null", { type: ["object", "null"] }],
    ["is an object by a list of types", { type: ["object"] }],
    ["has fields that are no object", { type: "object", properties: [] }],
    ["requires fields that are not in a list", { type: "object", required: "question" }],
    ["names no type", { properties: { question: text } }],
  ] as const)("all tools of a server if the schema of one of them %s", async ([, inputSchema], context) => {
    const stage = await setStage(context, [{ text: "Done." }]);

    const { tools } = await offered(stage, { spoilt: [...named("a", "b"), { name: "c", inputSchema }], sound: named("a") });

    expect(tools).toEqual(["mcp__sound__a"]);
  });

  it("a tool whose name has more than 128 characters with the server's", async (context) => {
    const stage = await setStage(context, [{ text: "Done." }]);
    const longest = "x".repeat(128 - "mcp__work__".length);

    const { tools } = await offered(stage, { work: named(longest, `${longest}x`) });

    expect(tools).toEqual([`mcp__work__${longest}`]);
  });

  it("a tool whose name, with underscores for other characters, is that of an earlier tool", async (context) => {
    const calls = ["mcp__work__a_b", "mcp__work__x__c"].map((name) => ({ name, input: {} }));
    const stage = await setStage(context, [{ tools: calls }, { text: "Done." }]);

    const { tools, shown } = await offered(stage, { work: named("a.b", "a_b", "a b", "x__c"), work__x: named("c") });

    expect(tools).toEqual(["mcp__work__a_b", "mcp__work__x__c"]);
    expect(shown[1]?.slice(-2)).toEqual(["result of a_b: this is a.b", "result of x__c: this is x__c"]);
  });

  it("all tools of a server that has not listed them in time, which is MCP_TIMEOUT or 30 s", async (context) => {
    const stage = await setStage(context, [{ text: "Done." }]);

    const { tools } = await offered(stage, { slow: null, quick: named("a") }, { env: { MCP_TIMEOUT: "500" } });

    expect(tools).toEqual(["mcp__quick__a"]);
  });
});

describe.concurrent("the SDK passes on", () => {
  it("other keywords at the top of a schema as they are, odd names of fields, and names that differ in case", async (context) => {
    const stage = await setStage(context, [{ text: "Done." }]);
    const schemas = {
      ref: { $ref: "#/$defs/asked", $defs: { asked } },
      rules: { not: { required: ["a"] }, if: { required: ["b"] }, else: { required: ["c"] }, enum: [{}] },
      Ref: { $schema: "http://json-schema.org/draft-07/schema#", $id: "https://tool.example/", definitions: { asked } },
      fields: { properties: { "filter[id]": true, "": asked } },
    };
    const work = Object.entries(schemas).map(([name, more]) => ({ name, inputSchema: { type: "object", ...more } }));

    const { tools } = await offered(stage, { work });

    expect(tools).toHaveLength(4);
    for (const { name, inputSchema } of work)
      expect(stage.model.requests[0]?.body["tools"]).toContainEqual(
        expect.objectContaining({ name: `mcp__work__${name}`, input_schema: inputSchema }),
      );
  });

  it("tools with any characters in their names, with an underscore for each UTF-16 unit that is no letter, digit, - or _", async (context) => {
    const names = ["a.b", "c/d", "e f", "größe", "😀", ".", "g\nh", " i", "__", "-"];
    const wire = ["a_b", "c_d", "e_f", "gr__e", "__", "_", "g_h", "_i", "-"].map((name) => `mcp__work__${name}`);
    const stage = await setStage(context, [{ tools: wire.map((name) => ({ name, input: {} })) }, { text: "Done." }]);

    const { tools, shown } = await offered(stage, { work: named(...names) });

    expect(tools).toEqual(wire.toSorted());
    expect(shown[1]?.slice(-wire.length).map((line) => line.replace(/^.*: this is /s, ""))).toEqual(names.filter((name) => name !== "__"));
  });

  it("what the model gives as input without comparing it with the schema, to the hook and to the tool", async (context) => {
    const inputs = [{}, { question: 5 }, { question: "Why?", more: [1] }];
    const stage = await setStage(context, [{ tools: inputs.map((input) => ({ name: "mcp__work__ask", input })) }, { text: "Done." }]);
    const checked: unknown[] = [];
    const called: unknown[] = [];
    const inputSchema = { ...asked, required: ["question"], additionalProperties: false };
    const work = serverOf("work", [{ name: "ask", inputSchema, call: (input) => `call ${called.push(input)}` }]);

    await stage.play("Go.", {
      mcpServers: { work },
      gate: ({ tool_input: input }) => {
        checked.push(input);
        return allow();
      },
    });

    expect(checked).toEqual(inputs);
    expect(called).toEqual(inputs);
  });
});
