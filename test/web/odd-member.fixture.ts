import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { Manifest } from "../../src/schema/manifest.ts";

/** A member whose tools ask for, and answer with, what no well-meaning one would. */
export const oddMember = (): Pick<Manifest, "transport" | "mcp"> => ({
  transport: "stdio",
  mcp: { command: "node", args: [import.meta.filename], env: {} },
});

const markup = `<img src=x onerror="window.taken=1"><script>window.taken=2</script>`;
const activeSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.taken=3"><script>parent.taken=4</script><image href="https://example.org/pixel.png"/><rect width="40" height="40"/></svg>`;

const doubled = Array.from({ length: 40 }, (_, step) => [
  `d${step}`,
  step === 39 ? { type: "string" } : { allOf: [{ $ref: `#/$defs/d${step + 1}` }, { $ref: `#/$defs/d${step + 1}` }] },
]);

const odd: Record<string, { input: Record<string, unknown>; answer: (input: unknown) => CallToolResult }> = {
  ten_thousand: {
    input: { properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, { type: "string" }])) },
    answer: (input) => text(JSON.stringify(input)),
  },
  slow_pattern: {
    input: { properties: { word: { type: "string", pattern: "^(a+)+$" } } },
    answer: (input) => text(JSON.stringify(input)),
  },
  doubling: {
    input: { properties: { word: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(doubled) },
    answer: (input) => text(JSON.stringify(input)),
  },
  endless: {
    input: {
      properties: { node: { $ref: "#/$defs/node" } },
      required: ["node"],
      $defs: { node: { type: "object", required: ["next"], properties: { next: { $ref: "#/$defs/node" }, name: { type: "string" } } } },
    },
    answer: (input) => text(JSON.stringify(input)),
  },
  markup: {
    input: {
      properties: {
        [markup]: { type: "string", title: markup, description: markup, examples: [markup], default: markup },
        pick: { enum: [markup] },
      },
      required: ["pick"],
    },
    answer: () => ({
      content: [
        { type: "text", text: markup },
        { type: "image", data: Buffer.from(activeSvg).toString("base64"), mimeType: "image/svg+xml" },
        { type: "image", data: Buffer.from(markup).toString("base64"), mimeType: "text/html" },
        { type: "image", data: "AAAA", mimeType: 'image/png" onerror="window.taken=5' },
        { type: "resource_link", uri: "javascript:window.taken=6", name: markup },
        { type: "resource_link", uri: "https://example.org/page", name: "A page" },
        { type: "resource", resource: { uri: "ui://page.html", mimeType: "text/html", text: markup } },
      ],
    }),
  },
  rows: {
    input: { properties: { count: { type: "integer" } } },
    answer: () => {
      const rows = Array.from({ length: 1234 }, (_, number) => ({ number, name: `Row ${number}` }));
      return { content: [text(JSON.stringify({ rows })).content[0] ?? { type: "text", text: "" }], structuredContent: { rows } };
    },
  },
  long: { input: { properties: {} }, answer: () => text("line of text\n".repeat(30_000)) },
  fail: {
    input: { properties: {} },
    answer: () => ({
      content: [{ type: "text", text: 'relation "invoices" does not exist\n    at query (db.ts:1:1)\n    at main' }],
      isError: true,
    }),
  },
  nothing: { input: { properties: {} }, answer: () => ({ content: [] }) },
};

const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });

if (import.meta.main) {
  const server = new Server({ name: "odd", version: "1.0.0" }, { capabilities: { tools: {} } });
  const tools = Object.entries(odd).map(([name, { input }]): Tool => ({
    name,
    description: markup,
    inputSchema: { type: "object", ...input },
    annotations: { destructiveHint: name === "rows" },
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => odd[params.name]?.answer(params.arguments) ?? text("unknown"));
  await server.connect(new StdioServerTransport());
}
