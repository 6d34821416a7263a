import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

/** A member that asks the hall itself for things: what a program with the member's environment can do from inside. */
const server = new McpServer({ name: "asking", version: "1.0.0" });

server.registerTool("ask", { inputSchema: { method: z.string(), url: z.string(), body: z.string() } }, async ({ method, url, body }) => {
  const answer = await fetch(url, { method, ...(body === "" ? {} : { body, headers: { "content-type": "application/json" } }) });
  return { content: [{ type: "text", text: `${answer.status} ${await answer.text()}` }] };
});

server.registerTool("environment", {}, () => ({ content: [{ type: "text", text: JSON.stringify(process.env) }] }));

await server.connect(new StdioServerTransport());
