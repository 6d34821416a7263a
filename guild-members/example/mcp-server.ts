import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { listOwnFiles, readOwnFile } from "./own-files.ts";
import { failure } from "./tool.ts";
import { tools } from "./tools.ts";

/** One per connection. The low-level server of the SDK takes JSON Schema as it is. */
export function createMcpServer(): Server {
  const server = new Server({ name: "example", version: readVersion() }, { capabilities: { tools: {}, resources: {} } });

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ definition }) => definition) }));

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}" here.`);
    const progressToken = params._meta?.progressToken;
    const progress = async (done: number, total: number, message: string): Promise<void> => {
      if (progressToken === undefined) return;
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress: done, total, message } });
    };
    try {
      return await tool.call(params.arguments ?? {}, { signal, progress });
    } catch (error) {
      return failure(error instanceof Error ? error.message : String(error));
    }
  });

  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: await listOwnFiles() }));

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({ contents: [await readOwnFile(params.uri)] }));

  return server;
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("guild-member.json", import.meta.url), "utf8")) as { version: string }; // our own file
  return manifest.version;
}
