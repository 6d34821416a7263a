import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Manifest } from "../../src/schema/manifest.ts";
import { putMember } from "../server/members-by-hand.ts";

type Listed = { name: string; description: string };

/** Puts a member into a home that has exactly these tools, and writes this to stderr when it starts. */
export async function putListingMember(
  home: string,
  name: string,
  { tools, stderr = "", ...manifest }: { tools: Listed[]; stderr?: string } & Partial<Manifest>,
): Promise<void> {
  // Beside the members, because a folder with no manifest yet would be looked at too early.
  const list = join(home, `${name}-tools.json`);
  await writeFile(list, JSON.stringify({ tools, stderr }));
  await putMember(home, name, { transport: "stdio", mcp: { command: "node", args: [import.meta.filename, list], env: {} }, ...manifest });
}

if (import.meta.main) {
  const { tools, stderr } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as { tools: Listed[]; stderr: string }; // as written above
  process.stderr.write(stderr);
  const server = new Server({ name: "listing", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({ ...tool, inputSchema: { type: "object" as const, properties: { text: { type: "string" } } } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: "text", text: `You called ${params.name}.` }] }));
  await server.connect(new StdioServerTransport());
}
