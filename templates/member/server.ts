import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

// The manifest beside this file, which the hall has checked.
const manifest = JSON.parse(readFileSync(new URL("guild-member.json", import.meta.url), "utf8")) as { name: string; version: string };

const server = new McpServer({ name: manifest.name, version: manifest.version });

server.registerTool(
  "greet",
  {
    title: "Greet",
    description: "Greets somebody, as often as you like.",
    inputSchema: {
      name: z.string().min(1).max(100).describe("Whom to greet"),
      times: z.int().min(1).max(10).default(1).describe("How often"),
    },
    annotations: { readOnlyHint: true },
  },
  ({ name, times }) => ({ content: [{ type: "text", text: Array.from({ length: times }, () => `Hello, ${name}!`).join("\n") }] }),
);

await server.connect(new StdioServerTransport());

// Stdout belongs to the protocol. What goes to stderr is there to read: guild-hall member logs <member>
console.error(`${manifest.name} ${manifest.version} is ready`);
