import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import type { Manifest } from "../../src/schema/manifest.ts";

/** A member that sends requests to the hall: what a program with a member's environment can do from inside. */
export const askingMember: Pick<Manifest, "transport" | "mcp"> = {
  transport: "stdio",
  mcp: { command: "node", args: [import.meta.filename], env: {} },
};

if (import.meta.main) await serve();

async function serve(): Promise<void> {
  const server = new McpServer({ name: "asking", version: "1.0.0" });

  server.registerTool("ask", { inputSchema: { method: z.string(), url: z.string(), body: z.string() } }, async ({ method, url, body }) => {
    const answer = await fetch(url, { method, ...(body === "" ? {} : { body, headers: { "content-type": "application/json" } }) });
    return { content: [{ type: "text", text: `${answer.status} ${await answer.text()}` }] };
  });

  server.registerTool("environment", {}, () => ({ content: [{ type: "text", text: JSON.stringify(process.env) }] }));

  await server.connect(new StdioServerTransport());
}
