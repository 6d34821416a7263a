import { existsSync, writeFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Manifest } from "../../src/schema/manifest.ts";

/** A member over stdio whose tools change, hang and die as a test tells them to. */
export const pliableMember = (env: Record<string, string> = {}): Pick<Manifest, "transport" | "mcp"> => ({
  transport: "stdio",
  mcp: { command: "node", args: [import.meta.filename], env },
});

type Result = { content: { type: "text"; text: string }[] };

const text = (said: string): Result => ({ content: [{ type: "text", text: said }] });

function play(server: Server): void {
  let description = existsSync("description.txt") ? "Says less than before." : "Says what it is told.";
  const inputSchema = { type: "object" as const, properties: { text: { type: "string", maxLength: 1000 } }, required: ["text"] };
  const anything = { type: "object" as const };

  const tools: Record<string, (input: Record<string, unknown>, signal: AbortSignal) => Promise<Result>> = {
    echo: async (input) => text(`You said: ${String(input["text"])}`),
    async change() {
      description = "Says less than before.";
      writeFileSync("description.txt", description);
      await server.sendToolListChanged();
      return text("changed");
    },
    hang: (_input, signal) =>
      new Promise((resolve) => {
        writeFileSync("hanging", "");
        signal.addEventListener("abort", () => {
          writeFileSync("cancelled", "");
          resolve(text("cancelled"));
        });
      }),
    die: async () => process.exit(9),
  };

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) =>
      name === "echo" ? { name, description, inputSchema } : { name, description: `Does ${name}.`, inputSchema: anything },
    ),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const tool = tools[params.name];
    return tool === undefined ? text("There is no such tool.") : tool(params.arguments ?? {}, signal);
  });
}

if (import.meta.main) {
  const hasTools = process.env["HAS_TOOLS"] !== "no";
  const server = new Server({ name: "pliable", version: "1.0.0" }, { capabilities: hasTools ? { tools: { listChanged: true } } : {} });
  if (hasTools) play(server);
  await server.connect(new StdioServerTransport());
}
