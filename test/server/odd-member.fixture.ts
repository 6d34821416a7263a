import { createInterface } from "node:readline";
import type { Manifest } from "../../src/schema/manifest.ts";

/** A member over stdio with tools that no model can be offered as they are. It speaks by hand, because no library would. */
export const oddMember = (): Pick<Manifest, "transport" | "mcp"> => ({
  transport: "stdio",
  mcp: { command: "node", args: [import.meta.filename], env: {} },
});

export const longName = "x".repeat(130);

const question = {
  type: "object",
  properties: { question: { $ref: "#/$defs/text" } },
  required: ["question"],
  additionalProperties: false,
};
const number = { type: "object", properties: { number: { type: "integer" } }, required: ["number"], additionalProperties: false };

const schemas: Record<string, object> = {
  plain: { type: "object", properties: { text: { type: "string" } } },
  choose: { type: "object", oneOf: [question, number], $defs: { text: { type: "string" } } },
  say: { type: "string", minLength: 2 },
  broken: { type: "object", required: "text" },
  [longName]: { type: "object" },
  "a.b": { type: "object" },
  "a/b": { type: "object" },
  a_b: { type: "object" },
  "größe/in cm": { type: "object" },
};

type Message = { id?: number; method?: string; params?: { name?: string; arguments?: unknown } };

function resultOf({ method, params }: Message): object {
  if (method === "initialize")
    return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1.0.0" } };
  if (method === "tools/list")
    return { tools: Object.entries(schemas).map(([name, inputSchema]) => ({ name, description: `Is ${name}.`, inputSchema })) };
  return { content: [{ type: "text", text: `${params?.name}: ${JSON.stringify(params?.arguments)}` }] };
}

if (import.meta.main) {
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line) as Message; // the hall speaks MCP
    if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) }));
  }
}
