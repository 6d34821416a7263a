import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { serverOf } from "./stage-tools.ts";
import type { StageTool } from "./stage-tools.ts";
import { setStage } from "./stage.ts";
import type { Stage } from "./stage.ts";

const text = { type: "string" };
const asked = { type: "object", properties: { question: text } };

const named = (...names: string[]): StageTool[] => names.map((name) => ({ name, call: () => `this is ${name}` }));

/** The tools that the SDK offers to the model. Its first message must list the same. */
async function offered({ play, model }: Stage, servers: Record<string, StageTool[]>) {
  const all = Object.entries(servers).map(([name, tools]) => [name, serverOf(name, tools)] as const);
  const played = await play("Go.", { mcpServers: Object.fromEntries(all) });
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
  it("a tool with oneOf, anyOf or allOf at the top of its schema, but not below", async (context) => {
    const stage = await setStage(context, [{ text: "Done." }]);
    const work = ["oneOf", "anyOf", "allOf"].map((kind) => ({ name: kind, inputSchema: { type: "object", [kind]: [asked] } }));
    const below = { name: "below", inputSchema: { type: "object", properties: { value: { oneOf: [text, { type: "number" }] } } } };

    const { tools } = await offered(stage, { work: [...work, below] });

    expect(tools).toEqual(["mcp__work__below"]);
  });

  it.for([
    ["is of another type", { type: "string" }],
    ["may also be null", { type: ["object", "null"] }],
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
});
